// SPDX-License-Identifier: Apache-2.0
// This file decides which transfers a command needs before it can use a part of a buffer in a place.
#include "support/residency.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

namespace clarity::support {

Residency::IntervalSet Residency::underWay(Place to, const IntervalSet& parts) const {
  IntervalSet result;
  for (const Flight& flight : flights_)
    if (flight.transfer.to == to)
      for (const Interval& each : parts.intersection(IntervalSet(flight.transfer.range)).intervals()) result.add(each);
  return result;
}

void Residency::addTransfers(const IntervalSet& parts, Place from, Place to, std::vector<Transfer>& start,
                             const void* order) {
  for (const Interval& part : parts.intervals()) {
    const Transfer transfer{++lastId_, from, to, part};
    flights_.push_back({transfer, IntervalSet(part), order});
    start.push_back(transfer);
  }
}

void Residency::takeBack(std::vector<Transfer>& start, std::size_t count, std::uint64_t id) noexcept {
  std::erase_if(flights_, [&](const Flight& each) { return each.transfer.id > id; });
  start.erase(start.begin() + static_cast<std::ptrdiff_t>(count), start.end());
}

Residency::IntervalSet Residency::leaving(Place from, const void* group, const IntervalSet& parts) const {
  IntervalSet result;
  for (const Flight& flight : flights_)
    if (flight.transfer.from == from && peers_[flight.transfer.to].group == group)
      for (const Interval& each : parts.intersection(IntervalSet(flight.transfer.range)).intervals()) result.add(each);
  return result;
}

Residency::Wait Residency::fetch(IntervalSet missing, Place place, std::vector<Transfer>& start) {
  Wait wait;
  const IntervalSet coming = underWay(place, missing);
  wait.forTransfers = !coming.empty();
  missing.remove(coming);
  const bool inTurn = peers_[place].group && missing.size() >= peers_[place].leastInTurn;
  IntervalSet later;  // when it is its turn, unless it comes from elsewhere now
  const auto transferAll = [&](IntervalSet parts, Place from) {
    if (inTurn) {
      const IntervalSet busy = leaving(from, peers_[place].group, parts);
      for (const Interval& each : busy.intervals()) later.add(each);
      parts.remove(busy);
    }
    addTransfers(parts, from, place, start);
    missing.remove(parts);
    wait.forTransfers |= !parts.empty();
  };
  if (place != host) transferAll(missing.intersection(valid_[host]), host);
  for (Place from = 0; from < valid_.size() && !missing.empty(); ++from) {
    if (from == host || from == place || valid_[from].empty()) continue;  // most are, of many
    const IntervalSet parts = missing.intersection(valid_[from]);
    if (place == host || arePeers(place, from)) {
      transferAll(parts, from);
    } else if (!parts.empty()) {
      // The way leads through the host's memory; prepare() is called again when they are there.
      missing.remove(parts);
      fetch(parts, host, start);
      wait.forTransfers = true;
    }
  }
  wait.forTurn = !later.intersection(missing).empty();
  return wait;  // what is left over beyond that is valid nowhere: it was never written
}

bool Residency::isUnderWay(Place to, const Interval& part) const {
  return std::ranges::any_of(
      flights_, [&](const Flight& each) { return each.transfer.to == to && each.transfer.range.intersects(part); });
}

bool Residency::isPrepared(Place place, Interval range, bool content) const {
  const std::lock_guard lock(mutex_);
  return (!content || valid_[place].contains(range)) && !isUnderWay(place, range);
}

bool Residency::prepare(Place place, Interval range, bool content, std::vector<Transfer>& start, Waiter& waiter) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t before = lastId_;
  const std::size_t startedBefore = start.size();
  try {
    Wait wait;
    if (content && !valid_[place].contains(range)) {
      IntervalSet missing(range);
      missing.remove(valid_[place]);
      wait = fetch(std::move(missing), place, start);
    }
    wait.forTransfers |= isUnderWay(place, range);
    if (!wait.forTransfers && !wait.forTurn) return true;
    waiting_.push_back({&waiter, range, !wait.forTransfers});
    return false;
  } catch (...) {
    takeBack(start, startedBefore, before);
    throw;
  }
}

std::optional<std::vector<std::pair<Residency::Place, Residency::IntervalSet>>> Residency::fromPeers(
    Place place, Interval range, const void* order) const {
  IntervalSet missing(range);
  missing.remove(valid_[place]);
  for (const Flight& flight : flights_)
    if (flight.order == order && flight.transfer.to == place) missing.remove(flight.current);
  if (missing.size() >= peers_[place].leastInTurn) return std::nullopt;
  std::vector<std::pair<Place, IntervalSet>> parts;
  for (Place from = 0; from < valid_.size() && !missing.empty(); ++from) {
    if (from == place || valid_[from].empty()) continue;
    IntervalSet its = missing.intersection(valid_[from]);
    if (its.empty()) continue;
    if (!arePeers(place, from)) return std::nullopt;
    missing.remove(its);
    parts.emplace_back(from, std::move(its));
  }
  return parts;
}

bool Residency::prepareBehind(Place place, Interval range, bool content, const void* order,
                              std::vector<Transfer>& start) {
  const std::lock_guard lock(mutex_);
  const bool isBlocked = std::ranges::any_of(flights_, [&](const Flight& each) {
    return each.transfer.to == place && each.transfer.range.intersects(range) && (!order || each.order != order);
  });
  if (isBlocked) return false;
  if (!content || valid_[place].contains(range)) return true;
  const std::uint64_t before = lastId_;
  const std::size_t startedBefore = start.size();
  const auto parts = fromPeers(place, range, order);
  if (!parts) return false;
  try {
    for (const auto& [from, its] : *parts) addTransfers(its, from, place, start, order);
  } catch (...) {
    takeBack(start, startedBefore, before);
    throw;
  }
  return true;
}

std::list<Residency::Waiting> Residency::calledAfter(const Interval& range) {
  // Two places may send what has come: the one that it has come from and the one that it has come to. All others would
  // find that it is not their turn. They are called later: at the latest when no transfer is left that could do so.
  int turns = 2;
  const auto isCalledLater = [&](const Interval& waitedFor) {
    return std::ranges::any_of(flights_, [&](const Flight& each) { return each.transfer.range.intersects(waitedFor); });
  };
  std::list<Waiting> called;
  for (auto each = waiting_.begin(); each != waiting_.end();) {
    const auto next = std::next(each);
    if (each->range.intersects(range) && (!each->isForTurn || turns-- > 0 || !isCalledLater(each->range)))
      called.splice(called.end(), waiting_, each);
    each = next;
  }
  return called;
}

void Residency::ended(const Transfer& transfer, bool succeeded) noexcept {
  std::list<Waiting> called;
  {
    const std::lock_guard lock(mutex_);
    const auto flight = std::ranges::find(flights_, transfer.id, [](const Flight& each) { return each.transfer.id; });
    try {
      if (succeeded)
        for (const Interval& part : flight->current.intervals()) valid_[transfer.to].add(part);
    } catch (const std::bad_alloc&) {
      // Content that is not recorded is transferred again.
    }
    flights_.erase(flight);
    called = calledAfter(transfer.range);
  }
  for (const Waiting& each : called) each.waiter->transferEnded();
}

void Residency::written(Place place, Interval range) {
  const std::lock_guard lock(mutex_);
  markWritten(place, range);
}

void Residency::rowsWritten(Place place, const Rectangle& rows) {
  const std::lock_guard lock(mutex_);
  for (std::size_t z = 0; z < rows.size[2]; ++z)
    for (std::size_t y = 0; y < rows.size[1]; ++y) {
      const std::size_t begin = rows.begin + z * rows.slicePitch + y * rows.rowPitch;
      markWritten(place, {begin, begin + rows.size[0]});
    }
}

void Residency::markWritten(Place place, const Interval& range) {
  // In this order, as each step may fail for want of memory: old content must not come to be valid again.
  for (Flight& flight : flights_) flight.current.remove(range);
  for (Place each = 0; each < valid_.size(); ++each)
    if (each != place && !valid_[each].empty()) valid_[each].remove(range);
  valid_[place].add(range);
}

bool Residency::doWithout(Place gone, Interval range) {
  const std::lock_guard lock(mutex_);
  IntervalSet elsewhere;
  for (Place each = 0; each < valid_.size(); ++each)
    if (each != gone && !valid_[each].empty())
      for (const Interval& part : valid_[each].intersection(IntervalSet(range)).intervals()) elsewhere.add(part);
  for (const Interval& part : elsewhere.intervals()) valid_[gone].remove(part);
  return elsewhere.contains(range);
}

bool Residency::isValid(Place place, Interval range) const {
  const std::lock_guard lock(mutex_);
  return valid_[place].contains(range);
}

Residency::IntervalSet Residency::validIn(Place place, Interval range) const {
  const std::lock_guard lock(mutex_);
  return valid_[place].intersection(IntervalSet(range));
}

bool Residency::lacks(Place place, Interval range) const {
  const std::lock_guard lock(mutex_);
  if (valid_[place].contains(range)) return false;
  IntervalSet missing(range);
  missing.remove(valid_[place]);
  return std::ranges::any_of(
      valid_, [&](const IntervalSet& each) { return !each.empty() && !missing.intersection(each).empty(); });
}

std::optional<Residency::Place> Residency::peerWith(Place place, Interval range) const {
  const std::lock_guard lock(mutex_);
  for (Place from = 0; from < valid_.size(); ++from)
    if (from != place && arePeers(place, from) && valid_[from].contains(range)) return from;
  return std::nullopt;
}

}  // namespace clarity::support
