// SPDX-License-Identifier: Apache-2.0
// This file is what counted code for NVIDIA GPUs counts, and where (ptx/count_in_threads.h). Plain data.
#pragma once

#include "support/fields.h"

#include <cstdint>

namespace clarity::compiler::nvptx {

/// The counters of every module of counted code: `countCopies` copies of two integers of 64 bits for each place that
/// has counters, which blocks take turns with.
inline constexpr char countsSymbol[] = "clarity_counts";
inline constexpr std::uint64_t countCopies = 16, countersOfPlace = 2;

/// Places follow each other by basic block: a Block, then its lines, then its accesses.
struct CountedPlace {
  enum class Kind : std::uint8_t {
    Block,   ///< counters: warps, and threads, that executed it
    Line,    ///< no counters: the instructions that the block has of a line
    Global,  ///< an access; counters: sectors of 32 bytes, and those that it would be if threads were side by side
    Shared,  ///< an access; counters: passes, and those that it would be without bank conflicts
  };
  Kind kind = Kind::Block;
  bool writes = false;                                                  ///< whether an access writes
  std::uint32_t line = 0;                                               ///< the line of the source; 0: unknown
  std::uint32_t bytes = 0;                                              ///< bytes of an access by one thread
  std::uint32_t instructions = 0, floats = 0, doubles = 0, halves = 0;  ///< the work of a Line, by one thread

  bool hasCounters() const { return kind != Kind::Line; }
  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("kind", &CountedPlace::kind), field("writes", &CountedPlace::writes),
                              field("line", &CountedPlace::line), field("bytes", &CountedPlace::bytes),
                              field("instructions", &CountedPlace::instructions),
                              field("floats", &CountedPlace::floats), field("doubles", &CountedPlace::doubles),
                              field("halves", &CountedPlace::halves));
  }
  bool operator==(const CountedPlace&) const = default;
};
static_assert(support::listsEveryField<CountedPlace>);

}  // namespace clarity::compiler::nvptx
