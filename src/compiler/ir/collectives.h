// SPDX-License-Identifier: Apache-2.0
// This file names what work-items compute together: the operations of the work-group collective functions and of the
// sub-group functions, as the builtin library asks for them and as passes hand them on.
#pragma once

#include "compiler/ir/combination.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace llvm {
class CallInst;
class Constant;
class Instruction;
}  // namespace llvm

namespace clarity::compiler {

/// `T __clarity_work_group_<operation>_<type>(T, ...)`: what a program asks of its work-group.
inline constexpr char workGroupPrefix[] = "__clarity_work_group_";
/// `__clarity_collective_<operation>_<type>(ptr row, i64 items, ...)`: the same once the work-items' values lie in a
/// row, asked once for the group (LowerCollectivesPass). Scans leave their results in the row.
inline constexpr char collectivePrefix[] = "__clarity_collective_";
/// `__clarity_sub_group_<operation>_<type>(T, ...)`: what a program asks of its sub-group. `whole_` ahead of the
/// operation: all work-items come to the call, which matters where they are threads of their own, not lanes.
inline constexpr char subGroupPrefix[] = "__clarity_sub_group_";
/// A function of NVIDIA GPUs: the active threads of a warp have done all that is ahead of it.
inline constexpr char warpStepFunction[] = "__clarity_warp_step";

/// `void ()`: made by the compiler itself, where a sub-group may wait for another one.
inline constexpr char yieldOfSubGroup[] = "__clarity_sub_group_yield";

struct Collective {
  enum class Kind {
    Reduce,         ///< T (T)
    InclusiveScan,  ///< T (T)
    ExclusiveScan,  ///< T (T)
    Broadcast,      ///< T (T, index): of the work-item's linear id or the sub-group's lane, the same in all who ask
    // Sub-groups only:
    ClusteredReduce,  ///< T (T, i32 size)
    Shuffle,          ///< T (T, i32 lane)
    Ballot,           ///< i64 (i32 predicate): a bit for each lane
    LocalId,          ///< i32 ()
    Id,               ///< i32 ()
    MaxSize,          ///< i32 ()
    Barrier,          ///< void ()
    Yield,            ///< void (): other sub-groups may go on (MarkWaitingLoopsPass)
    Vote,             ///< i32 (i32): __clarity_work_group_all and _any
  };
  /// Whether the question has no partners: any work-item can answer it alone.
  bool alone() const { return kind == Kind::LocalId || kind == Kind::Id || kind == Kind::MaxSize; }
  /// Whether all who ask get the same answer.
  bool sameForAll() const {
    return kind == Kind::Reduce || kind == Kind::Broadcast || kind == Kind::Ballot || kind == Kind::Id ||
           kind == Kind::MaxSize || kind == Kind::Vote;
  }
  Kind kind = Kind::Vote;
  Combination combination = Combination::Add;
};

/// The collective of a name behind its prefix: "scan_inclusive_min_uint".
Collective parseCollective(llvm::StringRef name);

/// The collective that a call asks for, if its function's name begins with `prefix`.
std::optional<Collective> collectiveOf(const llvm::Instruction& instruction, llvm::StringRef prefix);

/// The operation by which the operands of several atomic functions of one kind make one, if their order does not
/// matter: integers only. A difference adds up what is taken away.
std::optional<Combination> combinationOf(llvm::AtomicRMWInst::BinOp operation);

/// `a` and `b` combined, element by element.
llvm::Value* combine(llvm::IRBuilderBase& builder, Combination combination, llvm::Value* a, llvm::Value* b);

/// The value that changes nothing; what the standard lets an exclusive scan begin with, but for the sign of zero.
llvm::Constant* identityOf(Combination combination, llvm::Type* element);

/// The first result of an exclusive scan.
llvm::Constant* firstOfExclusiveScan(Combination combination, llvm::Type* element);

/// All elements of a vector combined in a tree: the upper half with the lower one, until one is left.
llvm::Value* combineElements(llvm::IRBuilderBase& builder, Combination combination, llvm::Value* vector);

/// Every element combined with all below it, in ceil(log2) steps.
llvm::Value* scanElements(llvm::IRBuilderBase& builder, Combination combination, llvm::Value* vector);

/// The vector moved up by `by` elements; the lowest `by` elements of the result are `fill`.
llvm::Value* moveUp(llvm::IRBuilderBase& builder, llvm::Value* vector, unsigned by, llvm::Constant* fill);

}  // namespace clarity::compiler
