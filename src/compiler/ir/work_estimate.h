// SPDX-License-Identifier: Apache-2.0
// This file is how much a work-item of a kernel computes, as far as a launch tells: trip counts of loops follow from
// its arguments and sizes. A launch decides by it how long its code may take to be compiled (Shape::quick).
#pragma once

#include "support/fields.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace clarity::compiler {

struct KernelArg;

/// One step of a computation with a stack of numbers (double): it pushes a number, or replaces the upper two.
struct WorkStep {
  enum class Kind : std::uint8_t {
    Constant,    ///< `value`
    Argument,    ///< an integer, as the launch has it; `which`: index in KernelInfo::args
    Offset,      ///< get_global_offset; `which` of this and of the following: the dimension
    GlobalSize,  ///< get_global_size
    LocalSize,   ///< get_local_size
    GlobalId,    ///< get_global_id of a work-item in the middle
    LocalId,     ///< get_local_id of a work-item in the middle
    GroupId,     ///< get_group_id of a work-group in the middle
    Add,
    Multiply,
    Divide,  ///< rounded down; by zero it is zero
    Least,
    Greatest,
  };
  Kind kind = Kind::Constant;
  std::uint32_t which = 0;
  std::uint64_t value = 0;  ///< the value of an integer, as two's complement

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("kind", &WorkStep::kind), field("which", &WorkStep::which),
                              field("value", &WorkStep::value));
  }
  bool operator==(const WorkStep&) const = default;
};
static_assert(support::listsEveryField<WorkStep>);

/// Instructions of a work-item, roughly. Computed anew for each launch that has to decide.
struct WorkEstimate {
  static constexpr std::size_t mostSteps = 256, deepest = 32;

  std::vector<WorkStep> steps;  ///< they leave one number; empty: nothing is known
  /// No loop runs longer than it is taken to; false: of some loop nothing is known, and it may.
  bool isBounded = false;

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("steps", &WorkEstimate::steps), field("isBounded", &WorkEstimate::isBounded));
  }
  bool operator==(const WorkEstimate&) const = default;
};
static_assert(support::listsEveryField<WorkEstimate>);

/// The mistake in an estimate for a kernel with these arguments; empty if it can be computed.
std::string wrongWith(const WorkEstimate& estimate, std::span<const KernelArg> args);

/// The sizes of a launch.
struct WorkSizes {
  std::array<double, 3> offset{}, global{1, 1, 1}, local{1, 1, 1};
};

/// Instructions of a work-item of a launch; 0 if nothing is known. `block` is its argument block. The estimate is one
/// that nothing is wrong with.
double instructionsOf(const WorkEstimate& estimate, std::span<const KernelArg> args, std::span<const std::byte> block,
                      const WorkSizes& sizes);

}  // namespace clarity::compiler
