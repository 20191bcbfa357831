// SPDX-License-Identifier: Apache-2.0
// This file divides a launch's grains into runs.
#include "device/cpu/shares.h"

#include <algorithm>

namespace clarity::device::cpu {

namespace {
/// A thread's own run has at least so many bundles, or ends anywhere: with few, some threads would have one more than
/// others, or none.
constexpr std::uint64_t leastBundles = 4;
}  // namespace

Shares::Shares(std::uint64_t done, std::uint64_t total, const Units& units, unsigned threads)
    : total_(total), unit_(std::max<std::uint64_t>(units.row, 1)), runs_(std::clamp(threads, 1u, mostRuns)) {
  if (total_ / runs_ / leastBundles >= units.bundle) unit_ = std::max(unit_, units.bundle);
  const std::uint64_t count = total_ / unit_;
  whole_ = count / runs_;
  rest_ = count % runs_;
  for (unsigned run = 0; run < runs_; ++run) next_[run].store(std::max(done, beginOf(run)), std::memory_order_relaxed);
}

}  // namespace clarity::device::cpu
