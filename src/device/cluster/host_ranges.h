// SPDX-License-Identifier: Apache-2.0
// This file is ranges of the host's memory that commands on their way write, many thousands perhaps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>

namespace clarity::device::cluster {

/// Addresses of the host, from `begin` up to `end`.
struct HostRange {
  const std::byte *begin = nullptr, *end = nullptr;
  bool isEmpty() const { return begin == end; }
};

/// Ranges may overlap, and one may be there several times.
class HostRanges {
public:
  void add(const HostRange& range) {
    if (range.isEmpty()) return;
    ends_.emplace(range.begin, range.end);
    longest_ = std::max(longest_, range.end - range.begin);
  }
  /// One that is there.
  void remove(const HostRange& range) {
    if (range.isEmpty()) return;
    auto [at, last] = ends_.equal_range(range.begin);
    while (at != last && at->second != range.end) ++at;
    if (at != last) ends_.erase(at);
    if (ends_.empty()) longest_ = 0;
  }
  bool overlap(const HostRange& range) const {
    if (range.isEmpty()) return false;
    // The last ones that begin before its end, as far as one can be long enough.
    for (auto at = ends_.lower_bound(range.end); at != ends_.begin();) {
      --at;
      if (at->second > range.begin) return true;
      if (range.begin - at->first >= longest_) return false;
    }
    return false;
  }

private:
  std::multimap<const std::byte*, const std::byte*> ends_;  ///< by their beginnings
  std::ptrdiff_t longest_ = 0;                              ///< at least
};

}  // namespace clarity::device::cluster
