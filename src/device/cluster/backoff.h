// SPDX-License-Identifier: Apache-2.0
// This file is how threads wait for traffic: awake at first, because a message takes a microsecond and waking a thread
// takes ten times as long; then asleep, for longer and longer, so that a rank with nothing to do occupies no processor.
#pragma once

#include "device/cluster/transport.h"
#include "support/clock.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

namespace clarity::device::cluster {

class Backoff {
public:
  /// Stays awake for so many nanoseconds.
  Backoff(Transport& transport, std::uint64_t awake) : transport_(transport), awake_(awake) {}

  /// Something has happened.
  void begin() {
    began_ = 0;
    rest_ = shortest;
  }
  void pause() {
    if (began_ == 0) began_ = support::hostTime();
    if (!isOver()) {
      // Later on, other ranks, or what they run, may have this processor: they may keep it for milliseconds.
      if (support::hostTime() - began_ > alone) std::this_thread::yield();
      return;
    }
    transport_.rest(rest_);
    rest_ = std::min(2 * rest_, transport_.isBusy() ? longestBusy : longest);
  }
  /// Whether it has been awake for long enough, to no purpose.
  bool isOver() const {
    return began_ != 0 && support::hostTime() - began_ > (transport_.isBusy() ? std::max(awake_, awakeBusy) : awake_);
  }

private:
  static constexpr std::chrono::microseconds shortest{20}, longestBusy{100}, longest{1000};
  /// A piece takes as long on a network that is slow; some transports move it only while they are asked to go on.
  static constexpr std::uint64_t awakeBusy = 3'000'000;
  /// Answers to small commands come within this time.
  static constexpr std::uint64_t alone = 40'000;

  Transport& transport_;
  std::uint64_t awake_, began_ = 0;
  std::chrono::microseconds rest_ = shortest;
};

}  // namespace clarity::device::cluster
