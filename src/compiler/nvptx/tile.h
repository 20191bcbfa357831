// SPDX-License-Identifier: Apache-2.0
// This file is what a block of threads executes of a launch: the contract between the code and the device beside
// launch_abi.h. Plain data; no LLVM, no CUDA.
#pragma once

#include "support/fields.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace clarity::compiler::nvptx {

/// Work-items of a block along each dimension that divide every tile whose blocks may lie anywhere in the range.
inline constexpr std::array<std::uint64_t, 3> commonMultiple{1024, 64, 1};

/// Whether a range of work-items is a multiple of every such tile.
constexpr bool holdsWholeBlocks(const std::array<std::uint64_t, 3>& range) {
  for (std::size_t d = 0; d < 3; ++d)
    if ((d == 0 || range[d] > 1) && range[d] % commonMultiple[d] != 0) return false;
  return true;
}

inline constexpr std::uint32_t warp = 32;            ///< threads
inline constexpr std::uint32_t largestBlock = 1024;  ///< threads

/// Threads of the warps that so many work-items need.
constexpr std::uint64_t threadsOfWarps(std::uint64_t items) { return (items + warp - 1) / warp * warp; }

/// The largest of `most`, its half, its quarter and so on that `fits`; 1 if none of those above 1 does.
template <class Fits>
constexpr std::uint32_t largestPart(std::uint32_t most, const Fits& fits) {
  for (std::uint32_t part = most; part > 1; part /= 2)
    if (fits(part)) return part;
  return 1;
}

/// By default a thread executes a work-item and a block a work-group.
struct Tile {
  /// Work-items of a thread along the dimensions of ids. Neighbours in a thread are `threads` apart, so that
  /// neighbouring threads still execute neighbouring work-items, unless `adjacent`.
  std::array<std::uint32_t, 3> cells{1, 1, 1};
  /// Threads of a block along the same dimensions; 0 0 0: as many as the work-group has work-items.
  std::array<std::uint32_t, 3> threads{};
  bool merged = false;   ///< the kernel cannot observe work-groups: a block executes threads * cells work-items of any
  bool swapped = false;  ///< neighbouring threads differ along dimension 1, not 0
  std::uint32_t groups = 1;  ///< work-groups along dimension 0 that a block executes, in step where not `warps`
  bool warps = false;        ///< each warp of the block executes one of them
  bool guarded = false;      ///< blocks may reach beyond the range: work-items there are not executed
  /// Blocks execute one tile after the other, as many apart as there are blocks, and count in shared memory
  /// (count_in_blocks.h): the launch decides how many there are.
  bool counts = false;
  bool adjacent = false;  ///< along fast(), where threads are neighbours, a thread's work-items are neighbours, too

  bool asWritten() const { return *this == Tile(); }
  std::uint32_t cellsOfThread() const { return cells[0] * cells[1] * cells[2] * (groups > 1 ? groups : 1); }
  /// Along which dimension neighbouring threads differ.
  unsigned fast() const { return swapped ? 1 : 0; }
  /// By how much the ids of neighbours in a thread differ; of the first work-items of neighbouring threads.
  std::uint32_t apart(unsigned d) const { return adjacent && d == fast() ? 1 : threads[d]; }
  std::uint32_t step(unsigned d) const { return adjacent && d == fast() ? cells[d] : 1; }
  std::uint32_t threadsOfBlock() const { return threads[0] * threads[1] * threads[2]; }

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(
        field("cells", &Tile::cells), field("threads", &Tile::threads), field("merged", &Tile::merged),
        field("swapped", &Tile::swapped), field("groups", &Tile::groups), field("warps", &Tile::warps),
        field("guarded", &Tile::guarded), field("counts", &Tile::counts), field("adjacent", &Tile::adjacent));
  }
  bool operator==(const Tile&) const = default;
};
static_assert(support::listsEveryField<Tile>);

}  // namespace clarity::compiler::nvptx
