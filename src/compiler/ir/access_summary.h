// SPDX-License-Identifier: Apache-2.0
// This file is which bytes of its buffers a kernel accesses, as far as its code tells: index arithmetic on ids,
// arguments and counters of loops. A launch that is divided among devices computes from it what each part reads and
// writes (device/joined).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace clarity::compiler {

struct KernelInfo;

/// One value of index arithmetic: an integer of `bits` bits, made of values that come before it in the list.
struct AccessValue {
  enum class Kind : std::uint8_t {
    Constant,      ///< `number`
    Argument,      ///< `number`: where it is in the argument block
    GlobalId,      ///< `number` of this and of the following: the dimension
    GroupId,       ///< get_group_id
    GlobalSize,    ///< get_global_size
    LocalSize,     ///< get_local_size: smaller in work-groups at the upper edges
    EnqueuedSize,  ///< get_enqueued_local_size
    NumGroups,     ///< get_num_groups
    GlobalOffset,  ///< get_global_offset
    LocalId,       ///< get_local_id
    WorkDim,       ///< get_work_dim
    Unknown,       ///< any integer
    Iteration,     ///< how often a loop has come back to its beginning; `a`: at most that, unless it is `none`
    Recurrence,    ///< `a`, and `b` more with each iteration of a loop: `number` is the value that counts these
    Add,
    Subtract,
    Multiply,
    Divide,  ///< a quotient of unsigned numbers, as the following
    Remainder,
    SignedDivide,
    SignedRemainder,
    And,
    Or,
    Xor,
    ShiftRight,
    SignedShiftRight,
    ZeroExtend,
    SignExtend,
    Truncate,
    Least,
    Greatest,
    SignedLeast,
    SignedGreatest,
    Either,  ///< one of the two
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  Kind kind = Kind::Unknown;
  std::uint8_t bits = 64;
  bool neverWraps = false;        ///< as an unsigned number: no work-item computes one that does
  bool neverWrapsSigned = false;  ///< as a signed number
  std::uint32_t a = none, b = none;
  std::int64_t number = 0;
};

/// Left < right, or whatever the relation is, wherever an access with this condition is executed.
struct AccessCondition {
  enum class Relation : std::uint8_t { Less, LessOrEqual, Equal };
  std::uint32_t left = 0, right = 0;
  Relation relation = Relation::Less;
  bool isSigned = false;
};

/// An access to the memory of an argument.
struct MemoryAccess {
  std::uint32_t argument = 0;  ///< index in KernelInfo::args
  std::uint32_t offset = 0;    ///< the value that is the bytes from where the argument points
  std::uint64_t bytes = 0;
  bool isWrite = false;
  std::vector<std::uint32_t> conditions;
};

/// All accesses of a kernel to its buffers, or why they are not known.
struct AccessSummary {
  std::vector<AccessValue> values;
  std::vector<AccessCondition> conditions;
  std::vector<MemoryAccess> accesses;
  /// The reason why work-groups cannot be told apart by what they access: "it has atomic operations on global memory".
  /// Empty: there is none.
  std::string objection;
  /// A loop has atomic operations or accesses volatile memory: a work-group may wait for another one.
  bool mayWait = false;
  /// It has atomic or volatile accesses that are not to local memory: launches of several command-queues may use one
  /// buffer at the same time.
  bool sharesMemory = false;
};

/// The sizes of a launch, and a box of its work-groups.
struct AccessedBox {
  std::array<std::size_t, 3> offset{}, global{1, 1, 1}, local{1, 1, 1};
  std::array<std::size_t, 3> firstGroup{}, groups{1, 1, 1};
  std::uint32_t dims = 1;
};

/// Bytes from where an argument points, up to `end`. Accesses outside of a buffer are none: who uses this knows where
/// the buffer ends.
struct AccessedRange {
  static constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::uint32_t argument = 0;
  bool isWrite = false;
  std::int64_t begin = least, end = most;
  bool operator==(const AccessedRange&) const = default;
};

/// Ranges that hold all that a box of work-groups accesses, one for each access that it may execute. `block`: the
/// launch's argument block. The summary has no objection.
std::vector<AccessedRange> accessedBy(const AccessSummary& summary, const AccessedBox& box,
                                      std::span<const std::byte> block);

/// The accesses of a kernel, a line each, or its objection, for people.
std::string textOf(const AccessSummary& summary, const KernelInfo& kernel);

}  // namespace clarity::compiler
