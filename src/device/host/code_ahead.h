// SPDX-License-Identifier: Apache-2.0
// This file compiles code for launches to come on other threads.
#pragma once

#include "device/executable.h"

#include <functional>
#include <memory>

namespace clarity::device::host {

/// Runs `compile`, which compiles with IfNotKept::GenerateAhead, on a thread that is idle; never if the executable or
/// the process ends before. Errors are left to the launch that needs the code. fork() waits until none is under way,
/// and has them end early: a child would wait for the code for ever.
void compileAhead(std::weak_ptr<Executable>, std::function<void(Executable&)> compile);

}  // namespace clarity::device::host
