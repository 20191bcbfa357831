// SPDX-License-Identifier: Apache-2.0
// This file makes one work-group of several, side by side along y.
#include "compiler/passes/interleave_groups.h"

#include "compiler/analysis/variance.h"
#include "compiler/attributes.h"
#include "compiler/cost_model.h"
#include "compiler/primitives.h"
#include "compiler/remarks.h"

#include <fmt/format.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

/// What the work-items of a bundle read in a turn: two pages side by side. What they keep is of that size and stays in
/// the nearest cache.
constexpr std::uint64_t bytesOfBundle = cost::interleave::bytes;
constexpr std::uint64_t mostGroups = cost::interleave::mostGroups;
constexpr std::uint64_t leastItems = cost::interleave::leastItems,
                        mostItems = cost::interleave::mostItems;  ///< of a work-group

/// Whether an instruction reads what another work-group may have written, and must see it: such a group may be waited
/// for.
bool mayWaitForOthers(const llvm::Instruction& instruction) {
  if (instruction.isVolatile() || instruction.isAtomic()) {
    const llvm::Value* pointer = llvm::getPointerOperand(&instruction);
    if (const auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) pointer = change->getPointerOperand();
    if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      pointer = exchange->getPointerOperand();
    const bool isAnswerUsed = !instruction.use_empty();
    return isAnswerUsed && (!pointer || pointer->getType()->getPointerAddressSpace() != localAddressSpace);
  }
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && !llvm::isa<llvm::IntrinsicInst>(call) && !primitiveOf(*call) && call->mayReadFromMemory();
}

bool suitsBundle(const llvm::Instruction& instruction) {
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

class GroupBundler {
public:
  explicit GroupBundler(llvm::Function& function) : function_(function) {}

  /// Undone where it turns out that groups may part ahead of a barrier.
  bool run() {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function_)))
      if (const auto primitive = primitiveOf(instruction)) rewrite(llvm::cast<llvm::CallInst>(instruction), *primitive);
    for (llvm::Argument& argument : function_.args())
      if (argument.getType()->isPointerTy() && argument.getType()->getPointerAddressSpace() == localAddressSpace)
        moveToGroup(argument, entryPoint());
    if (meetTogether()) return true;
    for (llvm::CallInst* member : members_) {
      member->replaceAllUsesWith(llvm::ConstantInt::get(member->getType(), 0));
      member->eraseFromParent();
    }
    return false;
  }

private:
  llvm::BasicBlock::iterator entryPoint() { return function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca(); }

  /// Which group of the bundle a work-item belongs to.
  llvm::Value* member(llvm::IRBuilder<>& builder) {
    members_.push_back(llvm::cast<llvm::CallInst>(emitQuery(builder, Primitive::LocalId, 1)));
    return members_.back();
  }

  void rewrite(llvm::CallInst& query, Primitive primitive) {
    if (primitive == Primitive::LocalMemory) return moveToGroup(query, std::next(query.getIterator()));
    const auto dimension = dimensionOf(query);
    llvm::IRBuilder<> builder(&query);
    llvm::Value* result = nullptr;
    if (primitive == Primitive::LocalId && dimension == 1) result = builder.getInt64(0);
    if (primitive == Primitive::GlobalId && dimension == 1)
      result = builder.CreateAdd(emitQuery(builder, Primitive::GroupId, 1),
                                 emitQuery(builder, Primitive::GlobalOffset, 1), "", true, true);
    if (primitive == Primitive::GroupId && dimension == 0)
      result =
          builder.CreateAdd(emitQuery(builder, Primitive::GroupId, 0), member(builder), query.getName(), true, true);
    if (!result) return;
    query.replaceAllUsesWith(result);
    query.eraseFromParent();
  }

  void moveToGroup(llvm::Value& memory, llvm::BasicBlock::iterator at) {
    llvm::IRBuilder<> builder(function_.getContext());
    builder.SetInsertPoint(at->getParent(), at);
    llvm::Value* bytes = builder.CreateCall(&declarePrimitive(*function_.getParent(), Primitive::LocalBytes), {});
    llvm::Value* own = builder.CreateInBoundsGEP(
        builder.getInt8Ty(), &memory, builder.CreateMul(member(builder), bytes, "", true, true), memory.getName());
    const auto* made = llvm::cast<llvm::Instruction>(own);
    memory.replaceUsesWithIf(own, [made](const llvm::Use& use) { return use.getUser() != made; });
  }

  bool meetTogether() const {
    const VarianceInfo variance(function_);
    return llvm::none_of(llvm::instructions(function_), [&](const llvm::Instruction& instruction) {
      return primitiveOf(instruction) == Primitive::Barrier && !variance.divergence(*instruction.getParent()).empty();
    });
  }

  llvm::Function& function_;
  llvm::SmallVector<llvm::CallInst*, 8> members_;
};

}  // namespace

std::uint64_t groupsToInterleave(const llvm::Function& function) {
  const auto items = knownLocalSize(function, 0);
  if (!items || *items < leastItems || *items > mostItems || knownLocalSize(function, 1) != 1 ||
      knownLocalSize(function, 2) != 1)
    return 1;
  if (function.hasFnAttribute(mergedGroupsAttribute)) return 1;
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (!suitsBundle(instruction) || mayWaitForOthers(instruction)) return 1;
  return std::min(bytesOfBundle / *items, mostGroups);
}

llvm::PreservedAnalyses InterleaveGroupsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(wantsInterleavingAttribute)) return llvm::PreservedAnalyses::all();
  std::uint64_t bytes = 1;
  function.getFnAttribute(wantsInterleavingAttribute).getValueAsString().getAsInteger(10, bytes);
  const std::uint64_t groups =
      std::min(groupsToInterleave(function), bytesOfBundle / (bytes * knownLocalSize(function, 0).value_or(1)));
  if (groups < 2) return llvm::PreservedAnalyses::all();
  function.addFnAttr(interleavedGroupsAttribute, std::to_string(groups));
  if (GroupBundler(function).run()) {
    forgetLocalSize(function, 1);
    remark(function, {}, RemarkKind::Order,
           fmt::format("{} work-groups interleaved: their work-items step through memory together", groups));
  } else {
    function.removeFnAttr(interleavedGroupsAttribute);
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
