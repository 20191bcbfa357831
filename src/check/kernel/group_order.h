// SPDX-License-Identifier: Apache-2.0
// This file knows which accesses of a launch come after which others, whatever order work-items run in: by barriers
// within a work-group, by atomic operations on the same element, with the orders and scopes that they have.
#pragma once

#include "check/kernel/access_history.h"
#include "device/executable.h"
#include "device/observer.h"

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace clarity::check {

/// Copies of a work-item (async_work_group_copy) are ordered with its other accesses by barriers alone, and ahead of
/// them by waits for their event: they count as another one's.
class GroupOrder {
public:
  /// `first`: segments of other launches are smaller.
  GroupOrder(const device::ObservedLaunch& launch, Segment first);

  /// One past the last segment.
  Segment end() const { return intervals_.empty() ? groupFirst_ : intervals_.back().first + intervals_.back().count; }

  /// The work-items of a group go on behind a barrier. True if segments have been numbered anew, from 1: what has been
  /// remembered of them must be forgotten.
  bool begin(const device::ObservedRegion& region);
  /// The segment of an access by a work-item of the group that goes on.
  Segment segmentOf(const device::GlobalId& id, bool isAtomic, bool isCopy);
  device::GlobalId idOf(Segment segment) const;

  /// Whether nothing orders an earlier access, to local or to global memory, ahead of one of the current group.
  bool isUnordered(Segment earlier, Segment now, bool isLocal) const;

  /// Whether a barrier, whatever its flags, is between an earlier access of the current group and now.
  bool isBehindBarrier(Segment earlier) const {
    return earlier >= groupFirst_ && earlier < end() && placeOf(earlier).index < now_.index;
  }

  /// Whether an earlier access is by a copy that the work-item who began it has not waited for.
  bool isUnderWay(Segment earlier) const;

  /// Whether an earlier access is by another work-group.
  bool isOfOtherGroup(Segment earlier) const { return earlier < groupFirst_; }

  struct Atomic {
    std::uint64_t address = 0;
    bool isLocal = false, reads = false, writes = false;
    device::MemoryOrder order;
  };
  void atomic(Segment now, const Atomic&);
  void fence(const device::ObservedFence&);
  /// Events: those of observer_hooks.h.
  void copyBegins(std::uint64_t event, const device::GlobalId& id);
  void copiesAwaited(std::span<const std::uint64_t> events, const device::GlobalId& id);
  /// A work-item is at a function of its sub-group, which orders this memory among its work-items.
  void meet(std::uint32_t flags, const device::GlobalId& id);

private:
  /// Functions of its sub-group that a work-item has called since the last barrier, and the last ones that order local
  /// and global memory.
  struct Meetings {
    std::uint32_t count = 0, local = 0, global = 0;
  };

  /// Accesses of one agent or of several, numbered from `firstAgent`: work-items between two barriers of their group,
  /// their copies, or one of them behind an atomic operation that releases.
  struct Interval {
    Segment first = 0, count = 0;
    std::uint32_t firstAgent = 0, group = 0, index = 0;  ///< `index` counts barriers
    device::GlobalId firstId{};                          ///< the group's first id
    Meetings meetings{};
  };
  /// An access, by who made it.
  struct Place {
    std::uint32_t group = 0, index = 0, agent = 0;
    Segment segment = 0;
    Meetings meetings{};
  };
  /// An atomic operation on an element that others may see. Accesses of the agent by `place.segment` are ordered ahead
  /// of what those do.
  struct Release {
    Place place;
    std::uint64_t count = 0;     ///< the number of the element's operations
    std::uint64_t sequence = 0;  ///< the number of all operations
    bool isForAll = false;       ///< else for the same work-group
    std::uint32_t flags = 0;     ///< the memory that it orders
  };
  /// An atomic operation that has seen those on its element up to `count`.
  struct Acquire {
    std::uint64_t address = 0, count = 0, sequence = 0;
    std::uint32_t agent = 0, index = 0;
    bool isLocal = false, isForAll = false;
    std::uint32_t flags = 0;  ///< as Release's
  };
  struct Element {
    std::uint64_t count = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Release> releases;  ///< the last ones, by group and agent
  };
  using Elements = std::unordered_map<std::uint64_t, Element>;
  /// The state of a work-item since the last barrier.
  struct State {
    bool isChanged = false;
    Segment segment = 0;       ///< 0: that of the interval
    Segment copy = 0;          ///< that of the last one; 0: that of the interval
    bool hasReleased = false;  ///< its next plain access has another segment
    Meetings meetings{};
    Segment fence = 0;  ///< ahead of a fence that releases; 0: there was none
    bool fenceIsForAll = false;
    std::uint32_t fenceFlags = 0;
    std::vector<Acquire> seen;  ///< by operations that do not acquire, until a fence does
  };

  const Interval& intervalOf(Segment segment) const;
  Place placeOf(Segment segment) const;
  std::uint32_t agentOf(const device::GlobalId& id) const;
  bool isOrderedByAtomics(const Place& earlier, const Place& now, bool isLocal) const;
  struct Search;
  bool leadsTo(Search&, std::uint32_t group, std::uint32_t agent, std::uint32_t index, std::uint64_t before) const;
  void acquired(Acquire);
  State& changed(std::uint32_t item);

  const device::NDRange range_;
  const std::uint32_t items_;  ///< work-items of a work-group
  const std::uint32_t subGroupSize_;
  std::vector<Interval> intervals_;
  Interval now_;  ///< the interval of all work-items of the current group
  std::vector<State> states_;
  std::vector<std::uint32_t> changed_;  ///< work-items with a state of their own
  /// The first segments of the current group, and of its intervals behind the last barriers with a fence.
  Segment groupFirst_ = 1, localFence_ = 1, globalFence_ = 1;
  std::uint32_t groups_ = 0;
  /// A copy of the current group, by segments, that a work-item has begun and not waited for.
  struct Copy {
    Segment segment = 0;
    std::uint64_t event = 0;
    std::uint32_t item = 0;
  };
  std::vector<Copy> copies_;
  Elements elements_, localElements_;                                 ///< those in local memory, of the current group
  std::unordered_map<std::uint32_t, std::vector<Acquire>> acquired_;  ///< by group
  std::uint64_t sequence_ = 0;
  std::size_t remembered_ = 0, splits_ = 0;
};

}  // namespace clarity::check
