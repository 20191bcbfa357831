// SPDX-License-Identifier: Apache-2.0
// This file ends work-items of checked kernels that stay in their loops for too long.
#pragma once

#include "device/observer.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace clarity::device::cpu {

/// While it lives, the observer hears of work-items of this thread that are in loops for longer than `mostSeconds`, and
/// their launches end. Without an observer, or with 0 seconds, there is no limit.
class LoopWatch {
public:
  LoopWatch(LaunchObserver* observer, double mostSeconds);
  ~LoopWatch();
  LoopWatch(const LoopWatch&) = delete;

  /// So many iterations were made since the last look. How many to make until the next one.
  std::int64_t look(std::uint32_t site, std::uint64_t count, const GlobalId& id);
  /// The next look is at work-items that have just begun.
  void restart() { runs_ = false; }

private:
  using Clock = std::chrono::steady_clock;
  /// Loops that are named at most.
  static constexpr std::size_t mostLoops = 16;
  struct Loop {
    std::uint32_t site = 0;
    std::uint64_t count = 0;
  };

  void note(std::uint32_t site, std::uint64_t count);
  void endLaunch();

  LoopWatch* const before_;
  LaunchObserver* const observer_;
  const double mostSeconds_;
  bool runs_ = false;  ///< `since_` is that of `globalId_`
  Clock::time_point since_{};
  GlobalId globalId_{};
  unsigned noted_ = 0;
  std::size_t loopCount_ = 0;
  std::array<Loop, mostLoops> loops_{};
};

/// The work-items of a work-group go on behind a barrier: their time begins anew.
void restartLoops();

}  // namespace clarity::device::cpu
