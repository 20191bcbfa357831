// SPDX-License-Identifier: Apache-2.0
// This file divides a launch's grains into runs.
#include "device/cpu/shares.h"

#include <algorithm>

namespace clarity::device::cpu {

Shares::Shares(std::uint64_t done, std::uint64_t total, std::uint64_t unit, unsigned threads)
    : total_(total), unit_(std::max<std::uint64_t>(unit, 1)), runs_(std::clamp(threads, 1u, mostRuns)) {
  const std::uint64_t units = total_ / unit_;
  whole_ = units / runs_;
  rest_ = units % runs_;
  for (unsigned run = 0; run < runs_; ++run) next_[run].store(std::max(done, beginOf(run)), std::memory_order_relaxed);
}

}  // namespace clarity::device::cpu
