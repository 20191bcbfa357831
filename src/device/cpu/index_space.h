// SPDX-License-Identifier: Apache-2.0
// This file divides the NDRange of a launch: into parts that one native code serves, parts into grains that are never
// divided, and runs of grains into the boxes that native code executes.
#pragma once

#include "compiler/ir/kernel_abi.h"
#include "device/executable.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace clarity::device::cpu {

;

/// The quotient, rounded up. By 1 without a division, which takes some time and is what small launches do most.
constexpr std::uint64_t divideUp(std::uint64_t a, std::uint64_t b) { return b == 1 ? a : (a + b - 1) / b; }

/// A box of the index space (of work-groups, or of work-items for a group-agnostic kernel) and the grains in it.
/// Grains are numbered with x fastest.
struct Part {
  compiler::Slice box;
  std::array<std::uint64_t, 3> grain;   ///< extent of a grain; those at the upper edges may be smaller
  std::array<std::uint64_t, 3> grains;  ///< how many in each dimension
  bool exact;                           ///< work-groups of the full size only
  std::uint64_t widest;                 ///< grains along x that one box may have

  Part() {}  // not initialised: most launches have one part of the four that there is room for
  Part(const compiler::Slice& box, std::array<std::uint64_t, 3> grain, bool exact);
  std::uint64_t count() const { return grains[0] * grains[1] * grains[2]; }
};

/// All parts of a launch; their grains have consecutive numbers.
struct IndexSpace {
  std::array<Part, 4> parts;
  std::size_t partCount = 0;
  std::uint64_t grains = 0;         ///< grains of all parts
  std::uint64_t itemsPerGrain = 1;  ///< work-items of a full grain

  /// The space of a group-agnostic kernel, or of the part of it that a launch has: work-items; grains are runs of 64
  /// along x, or wider tiles of several rows where there are plenty of rows, each a separate box: rows of a tile share
  /// what they read in the nearest cache. `tile`: work-items that the code executes together; a grain holds whole ones
  /// where the NDRange does. `separateRows`: rows share nothing; where the code executes one at a time, grains are
  /// runs.
  static IndexSpace ofItems(const NDRange&, std::uint32_t units, std::array<std::uint32_t, 3> tile = {1, 1, 1},
                            bool separateRows = false, const GroupBox* part = nullptr);
  /// The same of code that is best for boxes of `side` work-items along x and y; lower and narrower ones where there
  /// would be too few.
  static IndexSpace ofBoxes(const NDRange&, std::uint32_t units, std::array<std::uint32_t, 3> tile, std::uint64_t side,
                            const GroupBox* part = nullptr);
  /// The space of any other kernel: work-groups. With `separateEdges` the smaller groups at the upper edges of an
  /// NDRange that the work-group size does not divide are separate parts.
  static IndexSpace ofGroups(const NDRange&, bool separateEdges, const GroupBox* part = nullptr);

  /// Calls visit(part, slice) for boxes that together are exactly the grains [begin, end), as few as there can be.
  template <class Visit>
  void forEachBox(std::uint64_t begin, std::uint64_t end, Visit&& visit) const;

  /// A number of grains near `wanted`, at least 1, that cuts few rows and planes: a multiple of unitOf(wanted).
  std::uint64_t roundedChunk(std::uint64_t wanted) const;
  /// The grains of a plane, a row or one, of which there are so many.
  std::uint64_t unitOf(std::uint64_t grains) const;

private:
  /// Makes a part in its place, unless there is nothing in it.
  void add(const compiler::Slice& box, std::array<std::uint64_t, 3> grain, bool exact);
  /// The same of work-groups, without those that a launch leaves to others.
  void addGroups(compiler::Slice box, const GroupBox* part, bool exact);
};

template <class Visit>
void IndexSpace::forEachBox(std::uint64_t begin, std::uint64_t end, Visit&& visit) const {
  std::uint64_t first = 0;
  for (std::size_t i = 0; i < partCount; first += parts[i++].count()) {
    const Part& part = parts[i];
    std::uint64_t at = std::max(begin, first) - first;
    const std::uint64_t stop = std::min(end, first + part.count());
    if (stop <= first) return;
    const std::uint64_t last = stop - first;
    const std::uint64_t row = part.grains[0], plane = row * part.grains[1];
    if (at == 0 && last == part.count() && part.widest >= row) {
      visit(part, part.box);
      continue;
    }
    while (at < last) {
      const std::uint64_t x = at % row, y = at / row % part.grains[1], z = at / plane;
      std::array<std::uint64_t, 3> size{1, 1, 1};
      if (x != 0 || last - at < row || part.widest < row) {
        size[0] = std::min({row - x, last - at, part.widest});
      } else if (y != 0 || last - at < plane) {
        size = {row, std::min(part.grains[1] - y, (last - at) / row), 1};
      } else {
        size = {row, part.grains[1], (last - at) / plane};
      }
      const std::array<std::uint64_t, 3> from{x, y, z};
      compiler::Slice slice;
      for (std::size_t d = 0; d < 3; ++d) {
        slice.begin[d] = part.box.begin[d] + from[d] * part.grain[d];
        slice.end[d] = std::min(part.box.end[d], part.box.begin[d] + (from[d] + size[d]) * part.grain[d]);
      }
      visit(part, slice);
      at += size[0] * size[1] * size[2];
    }
  }
}

}  // namespace clarity::device::cpu
