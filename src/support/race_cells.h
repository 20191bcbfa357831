// SPDX-License-Identifier: Apache-2.0
// This file is what compiled code and the check of races both read: for each word of memory a cell that says who has
// accessed it, and for each thread what code compares cells with. check/kernel/race_cells.h has the rules.
#pragma once

#include <cstddef>
#include <cstdint>

namespace clarity::support {

/// Numbers what one work-item does between two barriers of its work-group. No launch has segment 0.
using RaceSegment = std::uint32_t;

/// A cell of 64 bits. From the highest bit: the segment (32), whether the access was atomic, whether it was a write,
/// whether an earlier write is kept beside the cell, whether another reader is, the other one of two that have accessed
/// it between two barriers (13), the site (15).
struct RaceCell {
  static constexpr unsigned segmentShift = 32, atomicBit = 31, writeBit = 30, keptBit = 29, manyBit = 28;
  static constexpr unsigned otherShift = 15;
  static constexpr std::uint32_t noOther = 0x1fff, mostSite = 0x7fff;

  /// Memory has a cell for each word of so many bytes, at (address & mask) * cellBytes / wordBytes + begin.
  static constexpr std::uint64_t wordBytes = 4, cellBytes = 8;
  /// The bytes beside it for two accesses: at (address & mask) * keptBytes / wordBytes + where that begins.
  static constexpr std::uint64_t keptBytes = 2 * cellBytes;
};

/// The times that cells are compared with while a thread executes a work-group between two barriers.
struct RaceInterval {
  /// The segment of the first work-item, those of the others follow; the one that cells have whose word several
  /// work-items have read between these barriers; and that of words that several work-groups have read. Twice, as a
  /// cell has the segment in front of the bit for atomic accesses.
  std::uint64_t first = 0, shared = 0, allGroups = 0;
  /// Cells of local memory below this one are from before a barrier that orders them ahead of all that comes.
  std::uint64_t localBegin = 0;
  /// Cells of global memory below this one are from before the launch.
  std::uint64_t launchBegin = 0;
  std::uint64_t kept = 0;  ///< RaceMemory's
  void* owner = nullptr;   ///< the observer of the launch
};

/// The memory of the cells of all addresses of the process: those whose bits under `mask` are the same share a cell.
/// Pages take memory once a cell in them has been written.
struct RaceMemory {
  std::uint64_t mask = 0;   ///< 0: there are no cells, as the process's addresses are limited
  std::uint64_t cells = 0;  ///< where they begin
  std::uint64_t kept = 0;   ///< and what is kept beside them: two words of 64 bits for each cell

  /// Reserves addresses at the first call.
  static const RaceMemory& get();
  /// All cells become empty. Not while code that uses them runs.
  void clear() const;
  /// This memory is given back: its cells need no memory any more. Does nothing unless get() has been called.
  static void drop(const void* address, std::size_t bytes);
};

}  // namespace clarity::support
