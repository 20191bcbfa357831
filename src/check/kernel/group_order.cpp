// SPDX-License-Identifier: Apache-2.0
// This file numbers intervals between barriers, remembers atomic operations, and compares accesses by both.
#include "check/kernel/group_order.h"

#include "support/observer_hooks.h"

#include <algorithm>
#include <limits>
#include <set>

namespace clarity::check {
namespace {

using device::MemoryOrder;

/// So many atomic operations are remembered; beyond them, accesses of work-groups count as ordered.
constexpr std::size_t mostRemembered = std::size_t{1} << 21;
/// So many segments begin behind atomic operations; beyond them, accesses count as ahead of the operation.
constexpr std::size_t mostSplits = std::size_t{1} << 20;
/// So many operations of a work-item without an order may get one from a fence.
constexpr std::size_t mostSeen = 1024;
/// So many releases are looked at to find an order; where that does not do, there is one.
constexpr std::size_t mostSteps = 10'000;

bool isForAll(const MemoryOrder& order) {
  return order.scope == MemoryOrder::device || order.scope == MemoryOrder::allDevices;
}

}  // namespace

GroupOrder::GroupOrder(const device::ObservedLaunch& launch, Segment first)
    : range_(launch.range),
      items_(static_cast<std::uint32_t>(launch.range.local[0] * launch.range.local[1] * launch.range.local[2])),
      subGroupSize_(launch.kernel.usesSubGroups ? std::max(launch.kernel.subGroupSize, 1u) : 1),
      states_(items_),
      groupFirst_(first),
      localFence_(first),
      globalFence_(first) {}

bool GroupOrder::begin(const device::ObservedRegion& region) {
  const bool isFull = end() > std::numeric_limits<Segment>::max() - 4 * items_;
  Interval next{.first = isFull ? 1 : end(), .count = 2 * items_, .firstId = region.firstId};
  const bool isNewGroup = region.site == device::kernelBegins || intervals_.empty();
  if (isNewGroup) {
    next.group = ++groups_;
    localElements_.clear();
    copies_.clear();
  } else {
    next.group = now_.group;
    next.index = now_.index + 1;
  }
  if (isNewGroup || isFull) groupFirst_ = localFence_ = globalFence_ = next.first;
  if (region.flags & localFenceFlag) localFence_ = next.first;
  if (region.flags & globalFenceFlag) globalFence_ = next.first;
  for (const std::uint32_t item : changed_) states_[item] = {};
  changed_.clear();
  if (isFull) {
    intervals_.clear();
    elements_.clear();
    localElements_.clear();
    acquired_.clear();
    copies_.clear();
  }
  intervals_.push_back(next);
  now_ = next;
  return isFull;
}

std::uint32_t GroupOrder::agentOf(const device::GlobalId& id) const {
  return static_cast<std::uint32_t>((id[0] - now_.firstId[0]) +
                                    range_.local[0] *
                                        ((id[1] - now_.firstId[1]) + range_.local[1] * (id[2] - now_.firstId[2])));
}

Segment GroupOrder::segmentOf(const device::GlobalId& id, bool isAtomic, bool isCopy) {
  const std::uint32_t item = agentOf(id);
  State& state = states_[item];
  if (isCopy) return state.copy ? state.copy : now_.first + items_ + item;
  // Accesses behind an operation that releases are not ordered by it.
  if (state.hasReleased && !isAtomic) {
    state.hasReleased = false;
    if (++splits_ <= mostSplits) {
      intervals_.push_back({.first = end(),
                            .count = 1,
                            .firstAgent = item,
                            .group = now_.group,
                            .index = now_.index,
                            .firstId = now_.firstId,
                            .meetings = state.meetings});
      state.segment = intervals_.back().first;
    }
  }
  return state.segment ? state.segment : now_.first + item;
}

device::GlobalId GroupOrder::idOf(Segment segment) const {
  const Interval& interval = intervalOf(segment);
  const std::uint64_t linear = (interval.firstAgent + segment - interval.first) % items_;
  return {interval.firstId[0] + linear % range_.local[0],
          interval.firstId[1] + linear / range_.local[0] % range_.local[1],
          interval.firstId[2] + linear / range_.local[0] / range_.local[1]};
}

const GroupOrder::Interval& GroupOrder::intervalOf(Segment segment) const {
  if (segment >= intervals_.back().first) return intervals_.back();
  return *std::prev(std::ranges::upper_bound(intervals_, segment, {}, &Interval::first));
}

GroupOrder::Place GroupOrder::placeOf(Segment segment) const {
  const Interval& interval = intervalOf(segment);
  return {interval.group, interval.index, interval.firstAgent + segment - interval.first, segment, interval.meetings};
}

bool GroupOrder::isUnordered(Segment earlier, Segment now, bool isLocal) const {
  if (earlier == now || earlier >= end()) return false;
  if (earlier < groupFirst_) return !isLocal && !isOrderedByAtomics(placeOf(earlier), placeOf(now), isLocal);
  // Among copies, async_work_group_copy_fence is enough.
  if (isUnderWay(earlier) && placeOf(now).agent < items_) return true;
  if (earlier < (isLocal ? localFence_ : globalFence_)) return false;
  const Place then = placeOf(earlier), here = placeOf(now);
  if (then.agent == here.agent) return false;
  // Functions of a sub-group order what its work-items do. Those that are too many to be counted do so, too.
  if (subGroupSize_ > 1 && then.agent < items_ && here.agent < items_ &&
      then.agent / subGroupSize_ == here.agent / subGroupSize_ &&
      (splits_ > mostSplits || then.meetings.count < (isLocal ? here.meetings.local : here.meetings.global)))
    return false;
  return !isOrderedByAtomics(then, here, isLocal);
}

bool GroupOrder::isUnderWay(Segment segment) const {
  const auto found = std::ranges::lower_bound(copies_, segment, {}, &Copy::segment);
  return found != copies_.end() && found->segment == segment;
}

GroupOrder::State& GroupOrder::changed(std::uint32_t item) {
  State& state = states_[item];
  if (!state.isChanged) changed_.push_back(item);
  state.isChanged = true;
  return state;
}

void GroupOrder::acquired(Acquire acquire) {
  ++remembered_;
  acquired_[now_.group].push_back(acquire);
}

void GroupOrder::atomic(Segment now, const Atomic& operation) {
  if (remembered_ > mostRemembered) return;
  const Place place = placeOf(now);
  if (place.agent >= items_) return;
  State& state = changed(place.agent);
  const auto [found, isNew] = (operation.isLocal ? localElements_ : elements_).try_emplace(operation.address);
  Element& element = found->second;
  remembered_ += isNew;
  ++element.count;
  ++sequence_;
  const bool forAll = isForAll(operation.order), hasOrder = operation.order.scope != MemoryOrder::workItem;
  if (operation.reads && hasOrder) {
    const Acquire acquire{.address = operation.address,
                          .count = element.count,
                          .sequence = sequence_,
                          .agent = place.agent,
                          .index = place.index,
                          .isLocal = operation.isLocal,
                          .isForAll = forAll,
                          .flags = allFences};
    if (operation.order.acquires())
      acquired(acquire);
    else if (state.seen.size() < mostSeen)
      state.seen.push_back(acquire);
  }
  if (!operation.writes || !hasOrder) return;
  const bool releases = operation.order.releases();
  Release release{
      .place = place, .count = element.count, .sequence = sequence_, .isForAll = forAll, .flags = allFences};
  if (!releases) {
    // A barrier does for those of OpenCL C 1.x what a fence does.
    const bool isBehindBarrier = operation.order.order == MemoryOrder::legacy && place.index > 0;
    if (!state.fence && !isBehindBarrier) return;
    release.place.segment = state.fence;
    release.isForAll = forAll && (isBehindBarrier || state.fenceIsForAll);
    if (!isBehindBarrier) release.flags = state.fenceFlags;
  }
  remembered_ += element.releases.insert_or_assign({place.group, place.agent}, release).second;
  state.hasReleased |= releases;
}

void GroupOrder::fence(const device::ObservedFence& fence) {
  if (fence.order.scope == MemoryOrder::workItem) return;
  const Segment now = segmentOf(fence.globalId, /*isAtomic=*/true, /*isCopy=*/false);
  const std::uint32_t item = agentOf(fence.globalId);
  State& state = changed(item);
  if (fence.order.acquires()) {
    for (Acquire seen : state.seen) {
      seen.sequence = ++sequence_;
      seen.isForAll &= isForAll(fence.order);
      seen.flags &= fence.flags;
      acquired(seen);
    }
    state.seen.clear();
  }
  if (!fence.order.releases()) return;
  state.fence = now;
  state.fenceIsForAll = isForAll(fence.order);
  state.fenceFlags = fence.flags;
  state.hasReleased = true;
}

void GroupOrder::copyBegins(std::uint64_t event, const device::GlobalId& id) {
  if (++splits_ > mostSplits) return;
  const std::uint32_t item = agentOf(id);
  intervals_.push_back({.first = end(),
                        .count = 1,
                        .firstAgent = items_ + item,
                        .group = now_.group,
                        .index = now_.index,
                        .firstId = now_.firstId});
  changed(item).copy = intervals_.back().first;
  copies_.push_back({.segment = intervals_.back().first, .event = event, .item = item});
}

void GroupOrder::copiesAwaited(std::span<const std::uint64_t> events, const device::GlobalId& id) {
  const std::uint32_t item = agentOf(id);
  const auto contains = [&](std::uint64_t event) { return std::ranges::find(events, event) != events.end(); };
  const bool isKnown = !contains(unknownEvent);
  std::erase_if(copies_, [&](const Copy& copy) {
    return copy.item == item && (!isKnown || copy.event == unknownEvent || contains(copy.event));
  });
}

void GroupOrder::meet(std::uint32_t flags, const device::GlobalId& id) {
  State& state = changed(agentOf(id));
  ++state.meetings.count;
  if (flags & localFenceFlag) state.meetings.local = state.meetings.count;
  if (flags & globalFenceFlag) state.meetings.global = state.meetings.count;
  state.hasReleased = true;
}

struct GroupOrder::Search {
  Place earlier;
  std::set<std::pair<std::uint32_t, std::uint32_t>> visited;  ///< groups and agents
  std::size_t steps = 0;
  std::uint32_t flags = 0;  ///< the memory of the access
};

bool GroupOrder::isOrderedByAtomics(const Place& earlier, const Place& now, bool isLocal) const {
  if (remembered_ > mostRemembered) return true;
  Search search{.earlier = earlier, .visited = {}, .steps = 0, .flags = isLocal ? localFenceFlag : globalFenceFlag};
  return leadsTo(search, now.group, now.agent, now.index, std::numeric_limits<std::uint64_t>::max());
}

/// Whether the earlier access is ordered ahead of what an agent does behind operation `before`: it has acquired what
/// was released behind that access, or what others released that had acquired it themselves.
bool GroupOrder::leadsTo(Search& search, std::uint32_t group, std::uint32_t agent, std::uint32_t index,
                         std::uint64_t before) const {
  const auto found = acquired_.find(group);
  if (found == acquired_.end()) return false;
  for (const Acquire& acquire : found->second) {
    if (!(acquire.flags & search.flags)) continue;
    // Acquires ahead of a barrier are the whole group's.
    if (acquire.index >= index && !(acquire.agent == agent && acquire.sequence < before)) continue;
    const Elements& elements = acquire.isLocal ? localElements_ : elements_;
    const auto element = elements.find(acquire.address);
    if (element == elements.end()) continue;
    for (const auto& [who, release] : element->second.releases) {
      if (++search.steps > mostSteps) return true;
      if (release.count >= acquire.count && who == std::pair{group, acquire.agent}) continue;
      if (release.count > acquire.count || !(release.flags & search.flags)) continue;
      if (who.first != group && !(release.isForAll && acquire.isForAll)) continue;
      const Place& place = release.place;
      if (who.first == search.earlier.group &&
          (place.index > search.earlier.index ||
           (place.agent == search.earlier.agent && place.segment >= search.earlier.segment)))
        return true;
      if (search.visited.insert(who).second && leadsTo(search, who.first, who.second, place.index, release.sequence))
        return true;
    }
  }
  return false;
}

}  // namespace clarity::check
