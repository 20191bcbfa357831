// SPDX-License-Identifier: Apache-2.0
// This file is the memory of a launch's arguments, as checks of instrumented code need it.
#pragma once

#include "device/observer.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace clarity::device {
struct Launch;
}

namespace clarity::device::cpu {

/// Bytes of memory whose end is unknown.
inline constexpr std::uint64_t everything = std::numeric_limits<std::uint64_t>::max();

/// The memory of a launch's arguments: of those in global memory, the same on all threads.
std::vector<ObservedMemory> buffersOf(const Launch&);

/// Memory of arguments by their index: buffers, and local memory at its place in this worker's. `args`: the argument
/// block of this thread.
std::vector<ObservedMemory> memoryByArgument(const Launch&, const std::byte* args,
                                             const std::vector<ObservedMemory>& buffers, const std::byte* localMemory);

}  // namespace clarity::device::cpu
