// SPDX-License-Identifier: Apache-2.0
// This file is what the CPU device needs to know of a kernel's code, beside the code itself.
#pragma once

#include "support/fields.h"

#include <array>
#include <cstdint>

namespace clarity::compiler {

/// What the device needs to know to call the code of a kernel.
struct CodeFacts {
  bool groupAgnostic = false;  ///< slices are of global ids, not of work-groups
  std::array<std::uint32_t, 3> tile{
      1, 1, 1};  ///< work-items that are executed together: slices of multiples of it leave no rest
  std::uint64_t spillBytesPerItem =
      0;                         ///< WorkerMemory::spill needs this times the work-items of a group, rounded up to 64
  std::uint64_t chunkItems = 0;  ///< but at least times this many
  std::uint64_t interleavedGroups = 1;  ///< work-groups that run together where WorkerMemory has room for so many

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("groupAgnostic", &CodeFacts::groupAgnostic), field("tile", &CodeFacts::tile),
                              field("spillBytesPerItem", &CodeFacts::spillBytesPerItem),
                              field("chunkItems", &CodeFacts::chunkItems),
                              field("interleavedGroups", &CodeFacts::interleavedGroups));
  }
  bool operator==(const CodeFacts&) const = default;
};
static_assert(support::listsEveryField<CodeFacts>);

}  // namespace clarity::compiler
