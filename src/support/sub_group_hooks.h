// SPDX-License-Identifier: Apache-2.0
// This file declares the functions that generated code calls to run sub-groups that may wait for each other. The JIT
// resolves the symbols; the CPU device defines them (device/cpu/sub_groups.cpp).
#pragma once

#include <cstdint>

extern "C" {

/// Runs body(a copy of the frame) on a separate stack until it returns or yields. `stackBytes`: the size of the body's
/// own variables.
void __clarity_run_sub_group(void (*body)(const void* frame), const void* frame, std::uint64_t frameBytes,
                             std::uint64_t stackBytes);

/// Called by a body in each iteration of a loop that may wait for another sub-group: yields to the others at intervals.
void __clarity_let_sub_groups_run();

/// Returns when every body that was run has returned.
void __clarity_finish_sub_groups();

}  // extern "C"
