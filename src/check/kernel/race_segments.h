// SPDX-License-Identifier: Apache-2.0
// This file hands out the segments (support/race_cells.h) of the process's launches: in blocks, each for the
// work-groups that one thread executes of one launch.
#pragma once

#include "support/race_cells.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <shared_mutex>

namespace clarity::check {

using support::RaceSegment;

/// Thread-safe. Threads enter while code of theirs looks at cells.
class RaceSegments {
public:
  static constexpr unsigned blockBits = 16;
  static constexpr RaceSegment blockSegments = RaceSegment{1} << blockBits;

  static RaceSegments& get();

  std::uint32_t newLaunch() { return launches_.fetch_add(1, std::memory_order_relaxed) + 1; }
  void enter() { users_.lock_shared(); }
  void leave() { users_.unlock_shared(); }

  /// The first segment of a block. By a thread that has entered, and whose work-group is between two barriers: when all
  /// blocks are used up, it waits until all others are there too, and cells begin anew. Races with what was done before
  /// are not found.
  RaceSegment takeBlock(std::uint32_t launch);
  /// Segments that have been handed out are below this one. By a thread that has entered.
  RaceSegment end() const { return std::min(next_.load(std::memory_order_relaxed), blocks) << blockBits; }
  /// The number of times that cells have begun anew.
  std::uint32_t generation() const { return generation_.load(std::memory_order_relaxed); }

  /// Whose block a segment is in; 0: it is free.
  std::uint32_t launchOf(RaceSegment segment) const {
    return owners_[segment >> blockBits].load(std::memory_order_relaxed);
  }

private:
  static constexpr std::uint32_t blocks = (1u << (32 - blockBits)) - 1;  ///< cells have a use for the last segment
  void beginAnew();

  std::shared_mutex users_;
  std::atomic<std::uint32_t> launches_{0}, generation_{0};
  std::atomic<std::uint32_t> next_{1};  ///< block; 0 is none
  std::array<std::atomic<std::uint32_t>, blocks + 1> owners_{};
};

}  // namespace clarity::check
