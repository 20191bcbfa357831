// SPDX-License-Identifier: Apache-2.0
// This file declares what generated code calls to run sub-groups that may wait for each other; the JIT gives generated code the
// addresses, the CPU device defines them (device/cpu/sub_groups.cpp).
#pragma once

#include <cstdint>

extern "C" {

/// Runs body(a copy of the frame) on a stack of its own, until it returns or lets others run. `stackBytes`: what the body's own
/// variables need.
void __clarity_run_sub_group(void (*body)(const void* frame), const void* frame, std::uint64_t frameBytes, std::uint64_t stackBytes);

/// Called by a body once each turn of a loop that may wait for another sub-group: now and then the others go on.
void __clarity_let_sub_groups_run();

/// Returns when every body that was run has returned.
void __clarity_finish_sub_groups();

}  // extern "C"
