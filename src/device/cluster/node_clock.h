// SPDX-License-Identifier: Apache-2.0
// This file converts times of a node to the host's clock.
#pragma once

#include <atomic>
#include <cstdint>

namespace clarity::device::cluster {

/// The offset of a node's clock, from questions and answers: the node read its clock at some time between the two, so
/// the middle is wrong by half of what lies between them at most. The quickest answer of ten seconds counts: clocks
/// drift by 50 microseconds in a second at most, by far less as a rule.
class NodeClock {
public:
  /// A question was sent at `asked`, answered at `theirs` by the node's clock, and the answer has come at `now`.
  void add(std::uint64_t asked, std::uint64_t theirs, std::uint64_t now) {
    const std::uint64_t between = now - asked;
    const bool isOld = now - measured_.load(std::memory_order_relaxed) > 10'000'000'000u;
    if (between > roundTrip_.load(std::memory_order_relaxed) && !isOld) return;
    roundTrip_.store(between, std::memory_order_relaxed);
    measured_.store(now, std::memory_order_relaxed);
    offset_.store(static_cast<std::int64_t>(theirs - (asked + between / 2)), std::memory_order_relaxed);
  }
  /// A time of the node's clock by the host's.
  std::uint64_t toHost(std::uint64_t theirs) const {
    return theirs - static_cast<std::uint64_t>(offset_.load(std::memory_order_relaxed));
  }
  /// Nanoseconds of the quickest question and answer.
  std::uint64_t roundTrip() const { return roundTrip_.load(std::memory_order_relaxed); }

private:
  std::atomic<std::uint64_t> roundTrip_{~std::uint64_t{0}}, measured_{0};
  std::atomic<std::int64_t> offset_{0};
};

}  // namespace clarity::device::cluster
