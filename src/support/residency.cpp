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

void Residency::addTransfers(const IntervalSet& parts, Place from, Place to, std::vector<Transfer>& start) {
  for (const Interval& part : parts.intervals()) {
    const Transfer transfer{++lastId_, from, to, part};
    flights_.push_back({transfer, IntervalSet(part)});
    start.push_back(transfer);
  }
}

bool Residency::fetch(IntervalSet missing, Place place, std::vector<Transfer>& start) {
  const IntervalSet coming = underWay(place, missing);
  bool wait = !coming.empty();
  missing.remove(coming);
  const auto transferAll = [&](const IntervalSet& parts, Place from) {
    addTransfers(parts, from, place, start);
    missing.remove(parts);
    wait |= !parts.empty();
  };
  if (place != host) transferAll(missing.intersection(valid_[host]), host);
  for (Place from = 0; from < valid_.size() && !missing.empty(); ++from) {
    if (from == host || from == place) continue;
    const IntervalSet parts = missing.intersection(valid_[from]);
    if (place == host || (peers_[place] && peers_[place] == peers_[from])) {
      transferAll(parts, from);
    } else if (!parts.empty()) {
      // The way leads through the host's memory; prepare() is called again when they are there.
      missing.remove(parts);
      fetch(parts, host, start);
      wait = true;
    }
  }
  return wait;  // what is left over is valid nowhere: it was never written
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
  const auto startedBefore = static_cast<std::ptrdiff_t>(start.size());
  try {
    bool wait = false;
    if (content && !valid_[place].contains(range)) {
      IntervalSet missing(range);
      missing.remove(valid_[place]);
      wait = fetch(std::move(missing), place, start);
    }
    wait |= isUnderWay(place, range);
    if (wait) waiting_.push_back({&waiter, range});
    return !wait;
  } catch (...) {
    // A transfer that no thread starts never ends, and others would wait for it.
    std::erase_if(flights_, [&](const Flight& each) { return each.transfer.id > before; });
    start.erase(start.begin() + startedBefore, start.end());
    throw;
  }
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
    for (auto each = waiting_.begin(); each != waiting_.end();) {
      const auto next = std::next(each);
      if (each->range.intersects(transfer.range)) called.splice(called.end(), waiting_, each);
      each = next;
    }
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
    if (each != place) valid_[each].remove(range);
  valid_[place].add(range);
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
  return std::ranges::any_of(valid_, [&](const IntervalSet& each) { return !missing.intersection(each).empty(); });
}

std::optional<Residency::Place> Residency::peerWith(Place place, Interval range) const {
  const std::lock_guard lock(mutex_);
  if (!peers_[place]) return std::nullopt;
  for (Place from = 0; from < valid_.size(); ++from)
    if (from != place && peers_[from] == peers_[place] && valid_[from].contains(range)) return from;
  return std::nullopt;
}

}  // namespace clarity::support
