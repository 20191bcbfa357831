// SPDX-License-Identifier: Apache-2.0
// This file examines a kernel for coarsen().
#include "compiler/nvptx/coarsen_plan.h"

#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <utility>

namespace clarity::compiler::nvptx {
namespace {

bool refuse(std::string& why, const char* text) {
  why = text;
  return false;
}

bool waits(const llvm::Instruction& instruction) {
  return (instruction.isAtomic() || instruction.isVolatile()) && !instruction.use_empty();
}

}  // namespace

CoarsenPlan::CoarsenPlan(llvm::Function& kernel, const Cells& cells, VarianceInfo variance)
    : kernel_(kernel),
      cells_(cells),
      variance_(std::move(variance)),
      dominators_(kernel),
      loops_(dominators_),
      after_(kernel) {
  for (unsigned d = 0; d < 3; ++d)
    if (cells.count[d] > 1) tiled_ = tiled_ | Dimensions::only(d);
  all_ = cells.count[0] * cells.count[1] * cells.count[2];
  unsigned place = 0;
  for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&kernel))
    place_[block] = place++;
}

bool CoarsenPlan::check(Form form, std::string& why) {
  for (const llvm::BasicBlock& block : kernel_) {
    if (!place_.contains(&block)) return refuse(why, "it has code that is never reached");
    for (const llvm::Instruction& instruction : block)
      if (!isPossible(instruction, form, why)) return false;
    const Dimensions parting = partingOf(block);
    if (!anyTiled(parting)) continue;
    const llvm::BasicBlock* meeting = meetingOf(block);
    if (!meeting) return refuse(why, "work-items diverge and never meet again");
    for (const llvm::Loop* loop = loops_.getLoopFor(&block); loop && !loop->contains(meeting);
         loop = loop->getParentLoop())
      loopParting_[loop] = loopParting_[loop] | parting;
  }
  for (const auto& [loop, parting] : loopParting_) {
    const bool hasStart = form == Form::Any || loop->getLoopPreheader();
    const llvm::BasicBlock* end = hasStart ? endOf(*loop) : nullptr;
    const llvm::Loop* around = loop->getParentLoop();
    if (!end ||
        (around && !around->contains(end) && (loopParting_.lookup(around).bits() & parting.bits()) != parting.bits()))
      return refuse(why, "a loop has no single place behind it");
  }
  return true;
}

bool CoarsenPlan::isPossible(const llvm::Instruction& instruction, Form form, std::string& why) const {
  if (llvm::isa<llvm::IndirectBrInst, llvm::InvokeInst, llvm::CallBrInst>(instruction) ||
      (form == Form::Ready && llvm::isa<llvm::SwitchInst>(instruction)))
    return refuse(why, "it has a branch of many ways");
  if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      slot && !(slot->isStaticAlloca() && slot->getParent() == &kernel_.getEntryBlock()))
    return refuse(why, "it has a private variable of variable size");
  if (instruction.getType()->isTokenTy()) return refuse(why, "it has a token");
  if (waits(instruction) && loops_.getLoopFor(instruction.getParent()))
    return refuse(why, "it may wait for another work-item");
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call) return true;
  if (call->isInlineAsm() || !call->getCalledFunction()) return refuse(why, "it calls code that is not known");
  const auto primitive = primitiveOf(instruction);
  if (!primitive) {
    if (!call->getCalledFunction()->isDeclaration()) return refuse(why, "it calls a function that was not inlined");
    return !call->isConvergent() || refuse(why, "it calls a function that work-items call together");
  }
  switch (*primitive) {
    case Primitive::GlobalId:
    case Primitive::LocalId: return dimensionOf(*call) || refuse(why, "it asks for an id of a dimension that varies");
    case Primitive::Barrier:
      return !anyTiled(variance_.divergence(*call->getParent())) ||
             refuse(why, "its work-items may diverge ahead of a barrier");
    case Primitive::WorkGroupCollective:
    case Primitive::SubGroup:
    case Primitive::Collective: return refuse(why, "its work-items compute together");
    default: return true;
  }
}

Dimensions CoarsenPlan::partingOf(const llvm::BasicBlock& block) const {
  const llvm::Instruction* terminator = block.getTerminator();
  if (terminator->getNumSuccessors() < 2) return {};
  return variance_.of(*terminator->getOperand(0)).dims | variance_.of(*terminator).dims;
}

Dimensions CoarsenPlan::copiesOf(const llvm::Instruction& instruction) const {
  if (llvm::isa<llvm::AllocaInst>(instruction) || variance_.privateAddress(instruction)) return Dimensions::all();
  const auto primitive = primitiveOf(instruction);
  if (primitive == Primitive::Barrier) return {};
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      call && !primitive && !llvm::isa<llvm::IntrinsicInst>(call) && call->mayHaveSideEffects())
    return Dimensions::all();
  if (instruction.isVolatile()) return Dimensions::all();
  Dimensions dims = variance_.of(instruction).dims;
  if (!instruction.getType()->isVoidTy() && !instruction.mayHaveSideEffects()) return dims;
  for (const llvm::Use& operand : instruction.operands())
    dims = dims | (variance_.privateAddress(*operand) ? Dimensions::all() : variance_.of(*operand).dims);
  return dims;
}

Dimensions CoarsenPlan::freeOf(const Box& box, Dimensions dimensions) const {
  Dimensions result;
  for (unsigned d = 0; d < 3; ++d)
    if (box.at[d] == Box::every && tiled_.has(d) && dimensions.has(d)) result = result | Dimensions::only(d);
  return result;
}

const llvm::BasicBlock* CoarsenPlan::meetingOf(const llvm::BasicBlock& block) const {
  const auto* node = after_.getNode(&block);
  node = node ? node->getIDom() : nullptr;
  return node ? node->getBlock() : nullptr;
}

const llvm::BasicBlock* CoarsenPlan::endOf(const llvm::Loop& loop) const {
  llvm::SmallVector<llvm::BasicBlock*, 4> exits;
  loop.getExitBlocks(exits);
  const llvm::BasicBlock* end = exits.empty() ? nullptr : exits[0];
  for (const llvm::BasicBlock* exit : exits)
    if (end) end = after_.findNearestCommonDominator(end, exit);
  return end && place_.contains(end) && !loop.contains(end) ? end : nullptr;
}

bool CoarsenPlan::deservesVersion(const llvm::BasicBlock& branch, const llvm::BasicBlock* meeting) const {
  llvm::SmallVector<const llvm::BasicBlock*, 16> work(llvm::successors(&branch));
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
  bool deserves = false;
  std::size_t size = 0;
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.pop_back_val();
    if (block == meeting || !seen.insert(block).second) continue;
    size += block->size();
    if (size > cost::coarsen::mostInVersion) return false;
    deserves |= loops_.getLoopDepth(block) > loops_.getLoopDepth(&branch) ||
                llvm::any_of(*block, [](const llvm::Instruction& instruction) {
                  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
                  return load && load->getPointerAddressSpace() != localAddressSpace;
                });
    work.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
  return deserves;
}

bool CoarsenPlan::runsTogether(const llvm::Loop& loop) {
  const llvm::BasicBlock* header = loop.getHeader();
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(header->getTerminator());
  if (!branch || loop.getExitingBlock() != header) return false;
  std::size_t size = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) size += block->size();
  return size <= cost::coarsen::mostInVersion && llvm::none_of(*header, [](const llvm::Instruction& instruction) {
           return instruction.mayHaveSideEffects() || instruction.isVolatile() || instruction.isAtomic();
         });
}

}  // namespace clarity::compiler::nvptx
