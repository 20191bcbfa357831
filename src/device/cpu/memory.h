// SPDX-License-Identifier: Apache-2.0
// This file is the CPU device's memory: buffers, copies at the rate of all cores, and what a worker needs while it
// executes work-groups.
#pragma once

#include "compiler/kernel_abi.h"
#include "device/cpu/workers.h"
#include "device/stream.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace clarity::device::cpu {

/// Memory for buffers, no more of it than `limit` bytes at a time.
class Allocator {
public:
  static constexpr std::size_t alignment = 128;

  explicit Allocator(std::uint64_t limit) : limit_(limit) {}
  /// Aligned to 128 bytes; nullptr when there is no memory or the limit is reached.
  std::byte* allocate(std::size_t bytes);
  std::byte* allocateZeroed(std::size_t bytes);
  void free(std::byte* memory, std::size_t bytes);
  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }

private:
  std::uint64_t limit_;
  std::atomic<std::uint64_t> used_{0};
};

/// Transfers and fills at the rate of all cores. A fault (an invalid pointer of the application) is a Result.
Result copy(Workers&, std::byte* to, const std::byte* from, std::size_t bytes);
/// `rect` for its region and pitches.
Result copyRect(Workers&, std::byte* to, const std::byte* from, const RectCopy& rect);
Result fill(Workers&, std::byte* to, std::span<const std::byte> pattern, std::size_t bytes);

/// The calling thread's memory for so many work-groups: at least `localBytes` (a multiple of 64) for each of them and
/// `spillBytes` for all, 64-byte aligned, contents undefined. Grows and is reused; freed with the thread. Both pointers
/// are null when there is no memory.
compiler::WorkerMemory workerMemory(std::uint64_t localBytes, std::uint64_t groups, std::uint64_t spillBytes);

/// The calling thread's memory for its copies of reductions, page-aligned, with a page to spare at both ends; contents
/// undefined. Reused like the above, apart from it; nullptr when there is no memory.
std::byte* reductionMemory(std::uint64_t bytes);

}  // namespace clarity::device::cpu
