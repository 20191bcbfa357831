// SPDX-License-Identifier: Apache-2.0
// This file is what the CPU device needs to know of a kernel's code, beside the code itself.
#pragma once

#include "support/fields.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace clarity::compiler {

/// A __local variable of a kernel in the work-group's local memory.
struct LocalArray {
  std::string name;  ///< as in the source
  std::uint64_t offset = 0, bytes = 0;
  std::uint64_t elementBytes = 0;  ///< bytes of the scalars or vectors that it is made of

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("name", &LocalArray::name), field("offset", &LocalArray::offset),
                              field("bytes", &LocalArray::bytes), field("elementBytes", &LocalArray::elementBytes));
  }
  bool operator==(const LocalArray&) const = default;
};

/// Facts that the device needs to call the code of a kernel, and to explain its faults.
struct CodeFacts {
  bool groupAgnostic = false;  ///< slices are of global ids, not of work-groups
  std::array<std::uint32_t, 3> tile{
      1, 1, 1};               ///< work-items that are executed together: slices of multiples of it leave no rest
  bool separateRows = false;  ///< rows along x share no memory: long ones are best
  std::uint64_t spillBytesPerItem =
      0;                         ///< WorkerMemory::spill needs this times the work-items of a group, rounded up to 64
  std::uint64_t chunkItems = 0;  ///< but at least times this many
  std::uint64_t boxSide = 0;     ///< slices of so many work-items along x and y are best; 0: it does not matter
  bool groupsWait = false;       ///< work-groups may wait for each other: as many run at a time as there are units
  std::uint64_t interleavedGroups = 1;  ///< work-groups that run together where WorkerMemory has room for so many
  std::vector<LocalArray> localArrays{};
  std::uint64_t frameBytes = 0;  ///< on the stack, for a slice and what it calls

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(
        field("groupAgnostic", &CodeFacts::groupAgnostic), field("tile", &CodeFacts::tile),
        field("separateRows", &CodeFacts::separateRows), field("spillBytesPerItem", &CodeFacts::spillBytesPerItem),
        field("chunkItems", &CodeFacts::chunkItems), field("boxSide", &CodeFacts::boxSide),
        field("interleavedGroups", &CodeFacts::interleavedGroups), field("groupsWait", &CodeFacts::groupsWait),
        field("localArrays", &CodeFacts::localArrays), field("frameBytes", &CodeFacts::frameBytes));
  }
  bool operator==(const CodeFacts&) const = default;
};
static_assert(support::listsEveryField<LocalArray> && support::listsEveryField<CodeFacts>);

}  // namespace clarity::compiler
