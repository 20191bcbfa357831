// SPDX-License-Identifier: Apache-2.0
// This file is what a thread that executes work-groups of a launch knows of their order: which segments they have, and
// which of these a barrier orders ahead of what comes.
#pragma once

#include "check/kernel/race_segments.h"
#include "device/executable.h"
#include "device/observer.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace clarity::check {

/// One thread at a time executes work-groups with it; ownerOf() may be called by others.
class RaceThread {
public:
  RaceThread(const device::NDRange& range, std::uint32_t launch);

  /// The work-items of a group go on behind a barrier, or begin. The region's interval gets the segments of these.
  void begin(const device::ObservedRegion& region);

  /// The group's, between the barriers where it is now.
  RaceSegment first() const { return first_; }
  RaceSegment shared() const { return first_ + 2 * items_; }
  std::uint32_t items() const { return items_; }

  /// Whether a segment is the current group's.
  bool isOwn(RaceSegment segment) const {
    for (const Run& run : runs_)
      if (segment >= run.first && segment < run.end) return true;
    return false;
  }
  /// Whether a barrier orders a segment of the current group ahead of all that comes.
  bool isFenced(RaceSegment segment, bool isLocal) const { return segment < (isLocal ? localFence_ : globalFence_); }
  /// The work-item of a segment of the current group; from items() on those of copies, which others count as.
  std::uint32_t agentOf(RaceSegment segment) const {
    for (const Run& run : runs_)
      if (segment >= run.first && segment < run.end) return (segment - run.first) % stride_;
    return 0;
  }

  const device::GlobalId& firstId() const { return firstId_; }
  /// The work-item of a segment; none unless this thread has executed it.
  std::optional<device::GlobalId> ownerOf(RaceSegment segment) const;
  /// The global id of one of the current group's work-items.
  device::GlobalId idOf(std::uint32_t agent) const;

private:
  /// Segments that follow each other, of one group.
  struct Run {
    RaceSegment first = 0, end = 0;
  };
  /// The first segment of a group in a block.
  struct Record {
    RaceSegment first = 0;
    std::uint64_t group = 0;  ///< linear
  };
  std::uint64_t linearGroup() const;

  const device::NDRange range_;
  const std::uint32_t launch_, items_, stride_;
  RaceSegment next_ = 0, left_ = 0;  ///< segments of the block
  std::uint32_t generation_ = 0;
  RaceSegment first_ = 0, localFence_ = 0, globalFence_ = 0;
  device::GlobalId firstId_{};
  std::vector<Run> runs_;
  mutable std::mutex mutex_;
  std::vector<Record> records_;  ///< under the mutex; in the order of their segments
};

}  // namespace clarity::check
