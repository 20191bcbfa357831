// SPDX-License-Identifier: Apache-2.0
// This file is the memory that a worker needs while it executes work-groups.
#pragma once

#include "compiler/ir/kernel_abi.h"

#include <cstddef>
#include <cstdint>

namespace clarity::device::cpu {

/// The calling thread's memory for so many work-groups: at least `localBytes` (a multiple of 64) for each of them and
/// `spillBytes` for all, 64-byte aligned, contents undefined. Both lie between inaccessible addresses (device_range.h),
/// with compiler::localBeside bytes in between, compiler::localBehind behind local memory. Grows and is reused; freed
/// with the thread. Both pointers are null when there is no memory.
compiler::WorkerMemory workerMemory(std::uint64_t localBytes, std::uint64_t groups, std::uint64_t spillBytes);

/// The calling thread's memory for its copies of reductions, 128-byte aligned, which ends at inaccessible addresses;
/// contents undefined. Reused like the above, apart from it; nullptr when there is no memory.
std::byte* reductionMemory(std::uint64_t bytes);

}  // namespace clarity::device::cpu
