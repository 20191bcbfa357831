// SPDX-License-Identifier: Apache-2.0
// This file divides the grains of a launch among threads.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace clarity::device::cpu {

/// The grains of a launch in runs, one after the other, of which each thread has one. A thread takes shares of its own
/// run first, and then of those that others have not come to. So it executes the same part of the NDRange in launch
/// after launch, and finds in its caches what it has read and written there.
class Shares {
public:
  struct Units {
    std::uint64_t row = 1;     ///< grains between whose multiples no run begins
    std::uint64_t bundle = 1;  ///< the same of launches that have several for each thread
  };
  /// The grains [done, total) for so many threads.
  Shares(std::uint64_t done, std::uint64_t total, const Units&, unsigned threads);

  /// The runs in which a thread may still find grains: its own at first.
  class Seat {
  public:
    Seat(const Shares& shares, unsigned thread) : run_(thread % shares.runs_), left_(shares.runs_) {}

  private:
    friend Shares;
    unsigned run_, left_;
  };

  /// Takes as many grains as `size(left)` says of a run in which so many are left: 1 to `left`. False when no run has
  /// any. Thread-safe; each thread has a seat of its own.
  template <class Size>
  bool take(Seat& seat, const Size& size, std::uint64_t& begin, std::uint64_t& end) {
    for (; seat.left_ > 0; --seat.left_, seat.run_ = seat.run_ + 1 == runs_ ? 0 : seat.run_ + 1) {
      std::atomic<std::uint64_t>& next = next_[seat.run_];
      const std::uint64_t last = seat.run_ + 1 == runs_ ? total_ : beginOf(seat.run_ + 1);
      begin = next.load(std::memory_order_relaxed);
      while (begin < last) {
        end = begin + size(last - begin);
        if (next.compare_exchange_weak(begin, end, std::memory_order_relaxed)) return true;
      }
    }
    return false;
  }

  /// The part of a run's rest that a thread takes at once: small where many threads wait for the one whose run takes
  /// longest. They get smaller towards the end, so that all end together.
  std::uint64_t fairPart(std::uint64_t left) const { return left / std::clamp(runs_, 4u, 16u); }

private:
  static constexpr unsigned mostRuns = 64;
  /// The first grain of a run: units * run / runs_ units, in a form that cannot overflow.
  std::uint64_t beginOf(unsigned run) const { return (whole_ * run + rest_ * run / runs_) * unit_; }

  std::uint64_t total_, unit_, whole_, rest_;  ///< units of a run; units that are left over
  unsigned runs_;
  /// The first grain of each run that no thread has taken. They lie close together because threads that have no grains
  /// left in their own look at all.
  alignas(64) std::array<std::atomic<std::uint64_t>, mostRuns> next_;
};

}  // namespace clarity::device::cpu
