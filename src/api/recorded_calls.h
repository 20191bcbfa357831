// SPDX-License-Identifier: Apache-2.0
// This file gives the recorder of profiles (profile/recorder.h) what it needs of the driver.
#pragma once

namespace clarity::profile {
class Recorder;
}

namespace clarity::api {

/// The recorder of this process; null where no profile is wanted (CLARITY_PROFILE).
profile::Recorder* recorder();

}  // namespace clarity::api
