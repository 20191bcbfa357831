// SPDX-License-Identifier: Apache-2.0
// This file numbers intervals between barriers and compares them.
#include "check/group_order.h"

#include <algorithm>
#include <limits>

namespace clarity::check {
namespace {

constexpr std::uint32_t localFenceFlag = 1, globalFenceFlag = 2;  // CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE
/// So many releases are remembered; beyond them, accesses of work-groups count as ordered.
constexpr std::size_t mostReleases = std::size_t{1} << 21;

}  // namespace

GroupOrder::GroupOrder(const device::ObservedLaunch& launch, Segment first)
    : range_(launch.range),
      items_(static_cast<std::uint32_t>(launch.range.local[0] * launch.range.local[1] * launch.range.local[2])),
      subGroupSize_(launch.kernel.usesSubGroups ? std::max(launch.kernel.subGroupSize, 1u) : 1),
      groupFirst_(first),
      localFence_(first),
      globalFence_(first) {}

bool GroupOrder::begin(const device::ObservedRegion& region) {
  if (region.site == device::noBarrier) return false;
  const bool isFull = end() > std::numeric_limits<Segment>::max() - 2 * items_;
  Interval next;
  next.first = isFull ? 1 : end();
  next.firstId = region.firstId;
  const bool isNewGroup = region.site == device::kernelBegins || intervals_.empty();
  if (isNewGroup) {
    next.group = ++groups_;
    acquired_.clear();
  } else {
    next.group = intervals_.back().group;
    next.index = intervals_.back().index + 1;
  }
  if (isNewGroup || isFull) groupFirst_ = localFence_ = globalFence_ = next.first;
  if (region.flags & localFenceFlag) localFence_ = next.first;
  if (region.flags & globalFenceFlag) globalFence_ = next.first;
  if (isFull) {
    intervals_.clear();
    elements_.clear();
    acquired_.clear();
  }
  intervals_.push_back(next);
  return isFull;
}

Segment GroupOrder::segmentOf(const device::GlobalId& id) const {
  const Interval& now = intervals_.back();
  const std::uint64_t linear =
      (id[0] - now.firstId[0]) +
      range_.local[0] * ((id[1] - now.firstId[1]) + range_.local[1] * (id[2] - now.firstId[2]));
  return now.first + static_cast<Segment>(linear);
}

device::GlobalId GroupOrder::idOf(Segment segment) const {
  const Interval& interval = intervalOf(segment);
  const std::uint64_t linear = segment - interval.first;
  return {interval.firstId[0] + linear % range_.local[0],
          interval.firstId[1] + linear / range_.local[0] % range_.local[1],
          interval.firstId[2] + linear / range_.local[0] / range_.local[1]};
}

const GroupOrder::Interval& GroupOrder::intervalOf(Segment segment) const {
  if (segment >= intervals_.back().first) return intervals_.back();
  return *std::prev(std::ranges::upper_bound(intervals_, segment, {}, &Interval::first));
}

bool GroupOrder::isUnordered(Segment earlier, Segment now, bool isLocal) const {
  if (earlier == now || earlier >= end()) return false;
  if (earlier < groupFirst_) return !isLocal && !isOrderedByAtomics(earlier);
  if (earlier < (isLocal ? localFence_ : globalFence_)) return false;
  // Sub-group functions order what the work-items of a sub-group do; they are not followed one by one.
  const Segment itemThen = (earlier - groupFirst_) % items_, itemNow = now - intervals_.back().first;
  return itemThen != itemNow && (subGroupSize_ == 1 || itemThen / subGroupSize_ != itemNow / subGroupSize_);
}

/// Atomic operations count as acquiring and releasing whatever their order says: fences beside them may make them so.
void GroupOrder::synchronise(Segment now, std::uint64_t address) {
  if (releases_ > mostReleases) return;
  Element& element = elements_[address];
  ++element.count;
  const auto [release, isNew] = element.byGroup.insert_or_assign(intervals_.back().group, Release{element.count, now});
  releases_ += isNew;
  acquired_[address] = element.count;
}

bool GroupOrder::isOrderedByAtomics(Segment segment) const {
  if (releases_ > mostReleases) return true;
  const Interval& earlier = intervalOf(segment);
  return std::ranges::any_of(acquired_, [&](const auto& seen) {
    const auto element = elements_.find(seen.first);
    if (element == elements_.end()) return false;
    const auto release = element->second.byGroup.find(earlier.group);
    if (release == element->second.byGroup.end() || release->second.place > seen.second) return false;
    const Segment releasing = release->second.segment;
    return releasing == segment || intervalOf(releasing).index > earlier.index;
  });
}

}  // namespace clarity::check
