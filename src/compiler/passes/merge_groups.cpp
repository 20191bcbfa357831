// SPDX-License-Identifier: Apache-2.0
// This file decides whether work-groups can be merged, and computes group and local ids from global ids.
#include "compiler/passes/merge_groups.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

#include <array>

namespace clarity::compiler {
namespace {

class GroupMerger {
public:
  explicit GroupMerger(llvm::Function& function) : function_(function) {}

  bool run() {
    if (!readSizes() || !collectQueries()) return false;
    if (replaceSums()) collectQueries();
    if (size_[0] > 1 && llvm::any_of(queries_, [&](llvm::CallInst* query) {
          return *dimensionOf(*query) == 0 && decidesControlOrAccess(*query);
        }))
      return changed_;
    for (llvm::CallInst* query : queries_) replace(*query);
    function_.addFnAttr(mergedGroupsAttribute, "yes");
    return true;
  }

private:
  /// Reads the size of the work-group; false if it is not known.
  bool readSizes() {
    for (unsigned d = 0; d < 3; ++d) {
      size_[d] = knownLocalSize(function_, d).value_or(0);
      if (size_[d] == 0) return false;
    }
    return true;
  }

  /// Collects the queries of group and local ids; false if the work-groups cannot be merged: they have local memory or
  /// a barrier, or make queries that depend on the work-group in another way.
  bool collectQueries() {
    queries_.clear();
    if (llvm::any_of(function_.args(), [](const llvm::Argument& argument) {
          return argument.getType()->isPointerTy() && argument.getType()->getPointerAddressSpace() == localAddressSpace;
        }))
      return false;
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      const auto primitive = primitiveOf(instruction);
      if (!primitive) continue;
      auto& query = llvm::cast<llvm::CallInst>(instruction);
      switch (*primitive) {
        case Primitive::GlobalId:
        case Primitive::GlobalSize:
        case Primitive::EnqueuedLocalSize:
        case Primitive::NumGroups:
        case Primitive::GlobalOffset:
        case Primitive::WorkDim:
        case Primitive::ExpectBelow:
        case Primitive::PrintfSink:
        case Primitive::Parent: break;
        case Primitive::LocalId:
        case Primitive::GroupId:
          if (!dimensionOf(query)) return false;
          queries_.push_back(&query);
          break;
        default: return false;
      }
    }
    return true;
  }

  /// The global id without its offset.
  llvm::Value* idWithoutOffset(llvm::IRBuilder<>& builder, unsigned d) {
    return builder.CreateSub(emitQuery(builder, Primitive::GlobalId, d), emitQuery(builder, Primitive::GlobalOffset, d),
                             "", true, true);
  }

  // --- group_id * local_size + local_id ---

  /// The query of a primitive whose result, perhaps extended or truncated, is the value; nullptr for other values.
  static llvm::CallInst* queryBehindCasts(llvm::Value* value, Primitive primitive) {
    auto* query = llvm::dyn_cast<llvm::CallInst>(withoutCasts(value));
    return query && primitiveOf(*query) == primitive ? query : nullptr;
  }

  /// Ids are below 2^31 here: casts to 32 bits or more do not change them.
  static llvm::Value* withoutCasts(llvm::Value* value) {
    while (llvm::isa<llvm::TruncInst, llvm::ZExtInst, llvm::SExtInst>(value) &&
           value->getType()->getScalarSizeInBits() >= 32 &&
           llvm::cast<llvm::CastInst>(value)->getSrcTy()->getScalarSizeInBits() >= 32)
      value = llvm::cast<llvm::CastInst>(value)->getOperand(0);
    return value;
  }

  /// Whether the value is group_id(d) * local_size(d).
  bool isFirstOfGroup(llvm::Value* value, unsigned d) const {
    using namespace llvm::PatternMatch;
    llvm::Value* group;
    const llvm::APInt* factor;
    std::uint64_t by = 1;
    value = withoutCasts(value);
    if (match(value, m_Mul(m_Value(group), m_APInt(factor))))
      by = factor->getZExtValue();
    else if (match(value, m_Shl(m_Value(group), m_APInt(factor))) && factor->ult(63))
      by = std::uint64_t{1} << factor->getZExtValue();
    else
      group = value;
    const llvm::CallInst* query = queryBehindCasts(group, Primitive::GroupId);
    return query && dimensionOf(*query) == d && by == size_[d];
  }

  /// Replaces all sums group_id * local_size + local_id by the global id without its offset; whether there were any.
  bool replaceSums() {
    llvm::SmallVector<llvm::WeakTrackingVH, 8> replaced;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function_))) {
      if (!instruction.getType()->isIntegerTy(32) && !instruction.getType()->isIntegerTy(64)) continue;
      if (instruction.getOpcode() != llvm::Instruction::Add && instruction.getOpcode() != llvm::Instruction::Or)
        continue;
      for (const unsigned i : {0u, 1u}) {
        const llvm::CallInst* local = queryBehindCasts(instruction.getOperand(i), Primitive::LocalId);
        if (!local || !isFirstOfGroup(instruction.getOperand(1 - i), *dimensionOf(*local))) continue;
        llvm::IRBuilder<> builder(&instruction);
        instruction.replaceAllUsesWith(
            builder.CreateTrunc(idWithoutOffset(builder, *dimensionOf(*local)), instruction.getType()));
        replaced.emplace_back(&instruction);
        break;
      }
    }
    changed_ = !replaced.empty();
    llvm::RecursivelyDeleteTriviallyDeadInstructions(replaced);
    return changed_;
  }

  // --- other uses ---

  /// Whether an address or a branch depends on the id. A loaded value depends on it only through an address, so the
  /// search does not follow memory.
  static bool decidesControlOrAccess(const llvm::CallInst& query) {
    llvm::SmallVector<const llvm::Value*, 16> work{&query};
    llvm::SmallPtrSet<const llvm::Value*, 16> seen;
    while (!work.empty()) {
      const llvm::Value* value = work.pop_back_val();
      for (const llvm::User* user : value->users()) {
        const auto* instruction = llvm::cast<llvm::Instruction>(user);
        if (instruction->isTerminator() || llvm::isa<llvm::GetElementPtrInst, llvm::IntToPtrInst>(instruction))
          return true;
        if (llvm::isa<llvm::StoreInst>(instruction)) continue;  // it stores the id: its address would be a pointer
        if (instruction->mayReadOrWriteMemory()) return true;
        if (seen.insert(instruction).second) work.push_back(instruction);
      }
    }
    return false;
  }

  /// Computes the id from the global id.
  void replace(llvm::CallInst& query) {
    llvm::IRBuilder<> builder(&query);
    const unsigned d = *dimensionOf(query);
    const bool isLocal = primitiveOf(query) == Primitive::LocalId;
    llvm::Value* size = builder.getInt64(size_[d]);
    llvm::Value* result;
    if (size_[d] == 1)
      result = isLocal ? builder.getInt64(0) : idWithoutOffset(builder, d);
    else
      result = isLocal ? builder.CreateURem(idWithoutOffset(builder, d), size)
                       : builder.CreateUDiv(idWithoutOffset(builder, d), size);
    query.replaceAllUsesWith(result);
    query.eraseFromParent();
  }

  llvm::Function& function_;
  std::array<std::uint64_t, 3> size_{};
  llvm::SmallVector<llvm::CallInst*, 8> queries_;
  bool changed_ = false;
};

}  // namespace

llvm::PreservedAnalyses MergeGroupsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  return GroupMerger(function).run() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
