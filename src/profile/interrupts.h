// SPDX-License-Identifier: Apache-2.0
// This file has the record written when a signal of the terminal is about to end the process.
#pragma once

namespace clarity::profile {

/// Has `finish` called, on a thread of its own, when SIGINT, SIGTERM or SIGHUP comes that the application leaves to the
/// system; then the signal ends the process.
void finishOnInterrupt(void (*finish)());

}  // namespace clarity::profile
