// SPDX-License-Identifier: Apache-2.0
// This file knows which accesses of a launch come after which others, whatever order work-items run in: by barriers
// within a work-group, by atomic operations on the same element between work-groups.
#pragma once

#include "check/access_history.h"
#include "device/executable.h"
#include "device/observer.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace clarity::check {

class GroupOrder {
public:
  /// `first`: segments of other launches are smaller.
  GroupOrder(const device::ObservedLaunch& launch, Segment first);

  /// One past the last segment.
  Segment end() const { return intervals_.empty() ? groupFirst_ : intervals_.back().first + items_; }

  /// The work-items of a group go on behind a barrier. True if segments have been numbered anew, from 1: what has been
  /// remembered of them must be forgotten.
  bool begin(const device::ObservedRegion& region);
  /// Of a work-item of the group that goes on.
  Segment segmentOf(const device::GlobalId& id) const;
  device::GlobalId idOf(Segment segment) const;

  /// Whether nothing orders an earlier access, to local or to global memory, ahead of one of the current group.
  bool isUnordered(Segment earlier, Segment now, bool isLocal) const;
  /// The current group accesses an element of global memory atomically.
  void synchronise(Segment now, std::uint64_t address);

private:
  /// Between two barriers of one work-group.
  struct Interval {
    Segment first = 0;  ///< of the work-item with local id 0
    std::uint32_t group = 0, index = 0;
    device::GlobalId firstId{};
  };
  struct Release {
    std::uint64_t place = 0;
    Segment segment = 0;
  };
  /// The atomic operations on one element.
  struct Element {
    std::uint64_t count = 0;
    std::unordered_map<std::uint32_t, Release> byGroup;
  };

  const Interval& intervalOf(Segment segment) const;
  bool isOrderedByAtomics(Segment earlier) const;

  const device::NDRange range_;
  const std::uint32_t items_;  ///< of a work-group
  const std::uint32_t subGroupSize_;
  std::vector<Interval> intervals_;
  /// The first segments of the current group, and of its intervals behind the last barriers with a fence.
  Segment groupFirst_ = 1, localFence_ = 1, globalFence_ = 1;
  std::uint32_t groups_ = 0;
  std::unordered_map<std::uint64_t, Element> elements_;
  std::unordered_map<std::uint64_t, std::uint64_t>
      acquired_;  ///< by element: operations that the current group has seen
  std::size_t releases_ = 0;
};

}  // namespace clarity::check
