// SPDX-License-Identifier: Apache-2.0
// This file is a set of numbers, stored as intervals.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace clarity::support {

/// The numbers from `begin` up to, but not including, `end`.
struct Interval {
  std::size_t begin = 0, end = 0;

  bool empty() const { return begin >= end; }
  std::size_t size() const { return empty() ? 0 : end - begin; }
  bool intersects(const Interval& other) const { return !within(other).empty(); }
  Interval within(const Interval& other) const { return {std::max(begin, other.begin), std::min(end, other.end)}; }
  bool operator==(const Interval&) const = default;
};

/// A set of numbers; few intervals are expected. Not thread-safe.
class IntervalSet {
public:
  IntervalSet() = default;
  explicit IntervalSet(const Interval& all) { add(all); }

  bool empty() const { return intervals_.empty(); }
  std::size_t size() const {
    std::size_t sum = 0;
    for (const Interval& each : intervals_) sum += each.size();
    return sum;
  }
  /// In ascending order; no two of them touch.
  const std::vector<Interval>& intervals() const { return intervals_; }

  void add(Interval added) {
    if (added.empty()) return;
    // Intervals that it overlaps or touches become one with it.
    const auto first = std::ranges::lower_bound(intervals_, added.begin, {}, &Interval::end);
    auto last = first;
    for (; last != intervals_.end() && last->begin <= added.end; ++last) {
      added.begin = std::min(added.begin, last->begin);
      added.end = std::max(added.end, last->end);
    }
    intervals_.insert(intervals_.erase(first, last), added);
  }

  void remove(const Interval& removed) {
    if (removed.empty()) return;
    std::vector<Interval> left;
    for (const Interval& each : intervals_) {
      const Interval before{each.begin, std::min(each.end, removed.begin)};
      const Interval after{std::max(each.begin, removed.end), each.end};
      if (!before.empty()) left.push_back(before);
      if (!after.empty()) left.push_back(after);
    }
    intervals_ = std::move(left);
  }
  void remove(const IntervalSet& removed) {
    for (const Interval& each : removed.intervals_) remove(each);
  }

  bool contains(const Interval& part) const {
    if (part.empty()) return true;
    const auto found = std::ranges::upper_bound(intervals_, part.begin, {}, &Interval::end);
    return found != intervals_.end() && found->begin <= part.begin && part.end <= found->end;
  }
  bool intersects(const Interval& part) const {
    return std::ranges::any_of(intervals_, [&](const Interval& each) { return each.intersects(part); });
  }

  /// The intervals that are in both sets.
  IntervalSet intersection(const IntervalSet& other) const {
    IntervalSet result;
    for (const Interval& a : intervals_)
      for (const Interval& b : other.intervals_) result.add(a.within(b));
    return result;
  }

private:
  std::vector<Interval> intervals_;
};

}  // namespace clarity::support
