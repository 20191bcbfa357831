// SPDX-License-Identifier: Apache-2.0
// This file makes the copies of an allocation and finds out which part has what.
#include "device/joined/memory.h"

#include <algorithm>

namespace clarity::device::joined {
namespace {

using support::Interval;
using support::IntervalSet;
using Pieces = std::vector<std::pair<PartIndex, Interval>>;

/// Cuts a range into what the sets have, the first of them first; what none has is the first part's.
Pieces cutBy(std::vector<IntervalSet> sets, Interval range) {
  Pieces pieces;
  IntervalSet left(range);
  for (PartIndex part = 0; part < sets.size() && !left.empty(); ++part) {
    const IntervalSet own = left.intersection(sets[part]);
    for (const Interval& each : own.intervals()) pieces.emplace_back(part, each);
    left.remove(own);
  }
  for (const Interval& each : left.intervals()) pieces.emplace_back(0, each);
  std::ranges::sort(pieces, {}, [](const auto& piece) { return piece.second.begin; });
  return pieces;
}

}  // namespace

/// All places are peers: how content gets from one to another is for those who move it.
JoinedAllocation::JoinedAllocation(std::vector<std::unique_ptr<Allocation>> copies, std::size_t leastInTurn)
    : Allocation(copies.front()->bytes(), nullptr),
      copies_(std::move(copies)),
      residency_(parts() + 1, std::vector<support::Residency::Peers>(parts() + 1, {this, leastInTurn})),
      users_(parts()) {}

Pieces JoinedAllocation::whereIs(Interval range) const {
  std::vector<IntervalSet> sets;
  for (PartIndex part = 0; part < parts(); ++part) sets.push_back(residency_.validIn(place(part), range));
  return cutBy(std::move(sets), range);
}

std::size_t JoinedAllocation::missing(PartIndex part, Interval range) const {
  if (residency_.isValid(place(part), range)) return 0;
  IntervalSet elsewhere;
  for (PartIndex other = 0; other < parts(); ++other)
    if (other != part)
      for (const Interval& each : residency_.validIn(place(other), range).intervals()) elsewhere.add(each);
  elsewhere.remove(residency_.validIn(place(part), range));
  std::size_t bytes = 0;
  for (const Interval& each : elsewhere.intervals()) bytes += each.size();
  return bytes;
}

void JoinedAllocation::setUser(PartIndex part, Interval range) {
  const std::lock_guard lock(mutex_);
  for (IntervalSet& each : users_) each.remove(range);
  users_[part].add(range);
}

Pieces JoinedAllocation::usersOf(Interval range) const {
  std::vector<IntervalSet> sets;
  {
    const std::lock_guard lock(mutex_);
    sets = users_;
  }
  return cutBy(std::move(sets), range);
}

std::unique_ptr<Allocation> JoinedPool::allocate(std::size_t bytes) {
  std::vector<std::unique_ptr<Allocation>> copies;
  for (MemoryPool* const pool : pools_) {
    copies.push_back(pool->allocate(bytes));
    if (!copies.back()) return nullptr;
  }
  return std::make_unique<JoinedAllocation>(std::move(copies), pools_[0]->leastInTurn());
}

Result JoinedPool::initialise(Allocation& to, const std::byte* from, std::size_t bytes) {
  auto& joined = static_cast<JoinedAllocation&>(to);
  Result result = pools_[0]->initialise(joined.copy(0), from, bytes);
  if (result) joined.residency().written(JoinedAllocation::place(0), {0, bytes});
  return result;
}

}  // namespace clarity::device::joined
