// SPDX-License-Identifier: Apache-2.0
// This file numbers what work-groups do between barriers.
#include "check/kernel/race_thread.h"

#include "support/observer_hooks.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace clarity::check {

RaceThread::RaceThread(const device::NDRange& range, std::uint32_t launch)
    : range_(range),
      launch_(launch),
      items_(static_cast<std::uint32_t>(range.local[0] * range.local[1] * range.local[2])),
      stride_(2 * items_ + 1) {}

void RaceThread::begin(const device::ObservedRegion& region) {
  bool isNewGroup = region.site == device::kernelBegins || runs_.empty();
  bool isNewRun = isNewGroup;
  RaceSegments& all = RaceSegments::get();
  if (left_ < stride_ || generation_ != all.generation()) {
    next_ = all.takeBlock(launch_);
    left_ = RaceSegments::blockSegments;
    isNewRun = true;
    // Nothing is known any more of accesses from before cells have begun anew.
    isNewGroup |= generation_ != all.generation();
    generation_ = all.generation();
  }
  first_ = next_;
  next_ += stride_;
  left_ -= stride_;
  if (isNewGroup) {
    runs_.clear();
    localFence_ = globalFence_ = first_;
  }
  if (region.flags & localFenceFlag) localFence_ = first_;
  if (region.flags & globalFenceFlag) globalFence_ = first_;
  firstId_ = region.firstId;
  if (isNewRun) {
    runs_.push_back({first_, first_});
    const std::lock_guard lock(mutex_);
    if (!records_.empty() && records_.back().first > first_) records_.clear();  // of cells that have begun anew
    records_.push_back({first_, linearGroup()});
  }
  runs_.back().end = next_;
  region.interval->first = std::uint64_t{first_} << 1;
  region.interval->shared = std::uint64_t{shared()} << 1;
  region.interval->localBegin = std::uint64_t{localFence_} << support::RaceCell::segmentShift;
}

std::uint64_t RaceThread::linearGroup() const {
  std::array<std::uint64_t, 3> group{}, groups{};
  for (std::size_t d = 0; d < 3; ++d) {
    group[d] = (firstId_[d] - range_.offset[d]) / range_.local[d];
    groups[d] = (range_.global[d] + range_.local[d] - 1) / range_.local[d];
  }
  return group[0] + groups[0] * (group[1] + groups[1] * group[2]);
}

device::GlobalId RaceThread::idOf(std::uint32_t agent) const {
  const std::uint64_t item = agent % items_;
  return {firstId_[0] + item % range_.local[0], firstId_[1] + item / range_.local[0] % range_.local[1],
          firstId_[2] + item / range_.local[0] / range_.local[1]};
}

std::optional<device::GlobalId> RaceThread::ownerOf(RaceSegment segment) const {
  const std::lock_guard lock(mutex_);
  const auto behind = std::ranges::upper_bound(records_, segment, {}, &Record::first);
  if (behind == records_.begin()) return std::nullopt;
  const Record& record = *std::prev(behind);
  if (record.first >> RaceSegments::blockBits != segment >> RaceSegments::blockBits) return std::nullopt;
  const std::uint64_t item = (segment - record.first) % stride_ % items_;
  device::GlobalId id{};
  std::uint64_t group = record.group, place = item;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint64_t groups = (range_.global[d] + range_.local[d] - 1) / range_.local[d];
    id[d] = range_.offset[d] + group % groups * range_.local[d] + place % range_.local[d];
    group /= groups;
    place /= range_.local[d];
  }
  return id;
}

}  // namespace clarity::check
