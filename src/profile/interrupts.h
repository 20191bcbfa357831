// SPDX-License-Identifier: Apache-2.0
// This file has the record written when the process is about to end in another way than by exit().
#pragma once

#include "profile/recorder.h"

#include <string_view>

namespace clarity::profile {

/// Has `finish` called, on a thread of its own, before the process ends by a signal such as SIGINT or SIGSEGV, in each
/// case only if the application leaves the signal to the system, by a signal that it sends itself, or by _exit() or
/// quick_exit(). The process then ends as it would have; a fault of a thread that holds what `finish` needs, without
/// it.
void finishOnInterrupt(void (*finish)(const Ending&));

/// If the process has begun to end in one of these ways, waits for that: a thread that a signal has interrupted goes on
/// while the record is written, and may come to exit().
void awaitEnding();

/// Has another function called in place of one of the C library, by the program and the libraries that are loaded now.
void replaceFunction(std::string_view name, const void* instead);

}  // namespace clarity::profile
