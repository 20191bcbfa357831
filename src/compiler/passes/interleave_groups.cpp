// SPDX-License-Identifier: Apache-2.0
// This file makes one work-group of several, with their index as the id along y.
#include "compiler/passes/interleave_groups.h"

#include "compiler/analysis/variance.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

/// Whether an instruction may observe what another work-group has stored, in a loop that waits for it: a volatile or
/// atomic access outside of local memory whose result is used, or a call that may contain one.
bool mayWaitForOthers(const llvm::Instruction& instruction) {
  if (instruction.isVolatile() || instruction.isAtomic()) {
    const llvm::Value* pointer = llvm::getPointerOperand(&instruction);
    if (const auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) pointer = change->getPointerOperand();
    if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      pointer = exchange->getPointerOperand();
    const bool isResultUsed = !instruction.use_empty();
    return isResultUsed && (!pointer || pointer->getType()->getPointerAddressSpace() != localAddressSpace);
  }
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && !llvm::isa<llvm::IntrinsicInst>(call) && !primitiveOf(*call) && call->mayReadFromMemory();
}

bool canInterleave(const llvm::Instruction& instruction) {
  const auto primitive = primitiveOf(instruction);
  if (!primitive) return true;
  switch (*primitive) {
    case Primitive::GlobalId:
    case Primitive::LocalId:
    case Primitive::GroupId: return dimensionOf(llvm::cast<llvm::CallInst>(instruction)).has_value();
    case Primitive::WorkGroupCollective:
    case Primitive::SubGroup:
    case Primitive::Collective: return false;
    default: return true;
  }
}

bool canInterleave(const llvm::Function& function) {
  return !function.hasFnAttribute(mergedGroupsAttribute) &&
         llvm::all_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
           return canInterleave(instruction) && !mayWaitForOthers(instruction);
         });
}

/// Whether all work-groups come to each barrier together.
bool barriersAreUniform(llvm::Function& function, unsigned axis) {
  const VarianceInfo variance = VarianceInfo::ofGroups(function, {.axis = axis});
  return llvm::none_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    return primitiveOf(instruction) == Primitive::Barrier && !variance.divergence(*instruction.getParent()).empty();
  });
}

class GroupInterleaver {
public:
  GroupInterleaver(llvm::Function& function, unsigned axis) : function_(function), axis_(axis) {}

  void run() {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function_)))
      if (const auto primitive = primitiveOf(instruction)) replace(llvm::cast<llvm::CallInst>(instruction), *primitive);
    for (llvm::Argument& argument : function_.args())
      if (argument.getType()->isPointerTy() && argument.getType()->getPointerAddressSpace() == localAddressSpace)
        offsetByGroup(argument, entryPoint());
  }

private:
  llvm::BasicBlock::iterator entryPoint() { return function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca(); }

  /// The index of a work-item's original work-group among those that are interleaved.
  llvm::Value* groupIndex(llvm::IRBuilder<>& builder) const { return emitQuery(builder, Primitive::LocalId, axis_); }

  /// Computes a query of the original work-group from queries of the larger one, where the two differ.
  void replace(llvm::CallInst& query, Primitive primitive) {
    if (primitive == Primitive::LocalMemory) return offsetByGroup(query, std::next(query.getIterator()));
    const auto dimension = dimensionOf(query);
    llvm::IRBuilder<> builder(&query);
    llvm::Value* result = nullptr;
    if (primitive == Primitive::LocalId && dimension == axis_) result = builder.getInt64(0);
    if (primitive == Primitive::GlobalId && dimension == axis_)
      result = builder.CreateAdd(emitQuery(builder, Primitive::GroupId, axis_),
                                 emitQuery(builder, Primitive::GlobalOffset, axis_), "", true, true);
    if (primitive == Primitive::GroupId && dimension == 0)
      result = builder.CreateAdd(emitQuery(builder, Primitive::GroupId, 0), groupIndex(builder), query.getName(), true,
                                 true);
    if (!result) return;
    query.replaceAllUsesWith(result);
    query.eraseFromParent();
  }

  /// Gives each original work-group its own part of what was local memory of one.
  void offsetByGroup(llvm::Value& memory, llvm::BasicBlock::iterator at) {
    llvm::IRBuilder<> builder(function_.getContext());
    builder.SetInsertPoint(at->getParent(), at);
    llvm::Value* bytes = builder.CreateCall(&declarePrimitive(*function_.getParent(), Primitive::LocalBytes), {});
    llvm::Value* own = builder.CreateInBoundsGEP(
        builder.getInt8Ty(), &memory, builder.CreateMul(groupIndex(builder), bytes, "", true, true), memory.getName());
    memory.replaceUsesWithIf(own, [own](const llvm::Use& use) { return use.getUser() != own; });
  }

  llvm::Function& function_;
  const unsigned axis_;  ///< along which the index of the original work-groups counts
};

}  // namespace

std::uint64_t groupsToInterleave(const llvm::Function& function) {
  const auto items = knownLocalSize(function, 0);
  if (!items || *items < cost::interleave::leastItems || *items > cost::interleave::mostItems ||
      knownLocalSize(function, 1) != 1 || knownLocalSize(function, 2) != 1)
    return 1;
  if (!canInterleave(function)) return 1;
  return std::min(cost::interleave::bytes / *items, cost::interleave::mostGroups);
}

bool differsBetweenGroups(const llvm::Value& value) {
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  llvm::SmallVector<const llvm::Value*, 16> work{&value};
  while (!work.empty()) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(work.pop_back_val());
    if (!instruction || !seen.insert(instruction).second) continue;
    if (primitiveOf(*instruction) == Primitive::GroupId) return true;
    work.append(instruction->op_begin(), instruction->op_end());
  }
  return false;
}

llvm::PreservedAnalyses InterleaveGroupsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(wantsInterleavingAttribute)) return llvm::PreservedAnalyses::all();
  std::uint64_t bytes = 1;
  function.getFnAttribute(wantsInterleavingAttribute).getValueAsString().getAsInteger(10, bytes);
  const std::uint64_t groups = std::min(groupsToInterleave(function),
                                        cost::interleave::bytes / (bytes * knownLocalSize(function, 0).value_or(1)));
  if (groups < 2) return llvm::PreservedAnalyses::all();
  constexpr unsigned axis = 1;
  if (!barriersAreUniform(function, axis)) return llvm::PreservedAnalyses::all();
  interleaveGroups(function, {.axis = axis, .count = groups});
  remark(function, {}, RemarkKind::Order,
         fmt::format("{} work-groups interleaved: each iteration accesses consecutive memory", groups));
  return llvm::PreservedAnalyses::none();
}

bool canInterleaveAlong(llvm::Function& function, unsigned axis) {
  const bool hasRows = knownLocalSize(function, 1).value_or(1) > 1;
  return hasRows == (axis == 2) && knownLocalSize(function, axis) == 1 && canInterleave(function) &&
         barriersAreUniform(function, axis);
}

void interleaveGroups(llvm::Function& function, const InterleavedGroups& groups) {
  function.addFnAttr(interleavedGroupsAttribute, std::to_string(groups.count));
  GroupInterleaver(function, groups.axis).run();
  forgetLocalSize(function, groups.axis);
}

}  // namespace clarity::compiler
