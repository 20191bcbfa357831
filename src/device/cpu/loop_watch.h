// SPDX-License-Identifier: Apache-2.0
// This file ends work-items of checked kernels that stay in their loops for too long.
#pragma once

namespace clarity::device {
class LaunchObserver;
}

namespace clarity::device::cpu {

/// From now on the observer hears of work-items of this thread that are in loops for longer than this, and their
/// launches end. Null, or 0 seconds: there is no limit.
void watchLoops(LaunchObserver* observer, double mostSeconds);

/// The work-items of a work-group go on behind a barrier: their time begins anew.
void restartLoops();

}  // namespace clarity::device::cpu
