// SPDX-License-Identifier: Apache-2.0
// This file compiles code for launches to come on other threads.
#pragma once

#include <functional>

namespace clarity::device::host {

/// Runs `compile`, which compiles with IfNotKept::GenerateAhead, on a thread that is idle, or never if the process ends
/// before. fork() waits until none is under way, and has them end early: a child would wait for the code for ever.
/// `compile` must not throw.
void compileAhead(std::function<void()> compile);

}  // namespace clarity::device::host
