// SPDX-License-Identifier: Apache-2.0
// This file keeps, for each element of memory that a launch has accessed, who accessed it last.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace clarity::check {

/// Numbers a work-item between two barriers; 0: none. Later ones are greater.
using Segment = std::uint32_t;

/// The last accesses to an element.
struct History {
  Segment write = 0, read = 0;
  Segment otherRead = 0;  ///< a reader beside `read`, since the last write
  // Narrow: atomic, for its own work-group only.
  std::uint16_t writeSite : 15 = 0, writeIsNarrow : 1 = 0, readSite : 15 = 0, readIsNarrow : 1 = 0;
};

/// Histories by address, of elements of 4 bytes, or of single bytes in pages where smaller ones were accessed. Those of
/// earlier launches stay, and have smaller segments.
class AccessHistory {
public:
  /// Calls `visit(History&, address)` for each element of the range.
  template <class Visit>
  void forEach(std::uint64_t address, std::uint64_t bytes, Visit visit) {
    const std::uint64_t end = address + bytes;
    while (address < end) {
      Page& page = pageOf(address);
      if (page.unit == wordBytes && (address % wordBytes != 0 || end - address < wordBytes)) divide(page);
      visit(page.elements[address % pageBytes / page.unit], address);
      address += page.unit;
    }
  }
  void clear();

  Segment next = 1;  ///< the first segment that the next launch may use

private:
  static constexpr std::uint64_t pageBytes = 4096, wordBytes = 4;
  static constexpr std::size_t recentPages = 64;

  struct Page {
    std::uint64_t unit = wordBytes;
    std::vector<History> elements = std::vector<History>(pageBytes / wordBytes);
  };

  Page& pageOf(std::uint64_t address);
  /// Bytes get the history of their word.
  static void divide(Page& page);

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::array<std::pair<std::uint64_t, Page*>, recentPages> recent_{};
};

}  // namespace clarity::check
