// SPDX-License-Identifier: Apache-2.0
// This file generates loops, and the steady form ahead of divergent ones.
#include "compiler/packets/packet_loops.h"

#include "compiler/analysis/wrapping.h"
#include "compiler/ir/loop_properties.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

namespace clarity::compiler {

void PacketLoops::emit(const Level& level, EmitLevel emitLevel) {
  llvm::BasicBlock* preheader = level.loop->getLoopPreheader();
  llvm::BasicBlock* header = tile_.newBlock("packet." + level.header->getName());
  llvm::BasicBlock* after = level.divergent ? tile_.newBlock("packet.after") : nullptr;
  if (level.divergent) {
    const LaneMasks::Cells& lanes = masks_.makeVariables("in.loop");
    masks_.setLevel(level, &lanes);
    masks_.nextIteration(level) = &masks_.makeVariables("next.iteration");
    const LaneMasks::Cells* begin = masks_.variablesOf(*preheader);
    LaneMasks::Masks first;
    for (unsigned cell = 0; cell < lanes.size(); ++cell) {
      first.push_back(begin ? masks_.load((*begin)[cell]) : masks_.full());
      masks_.store(first.back(), lanes[cell]);
    }
    if (const SteadyLoop* steady = tile_.plan.steadyForm(level)) {
      if (begin) {
        llvm::BasicBlock* all = tile_.newBlock("packet.all.lanes");
        builder_.CreateCondBr(masks_.all(first), all, header);
        builder_.SetInsertPoint(all);
      }
      emitSteady(level, *steady, *header, *after, emitLevel);
      if (tile_.outgrown()) return;
    } else {
      builder_.CreateBr(header);
    }
  } else {
    masks_.setLevel(level, masks_.variablesOf(*preheader));
    builder_.CreateBr(header);
  }
  const llvm::SmallVector<llvm::BasicBlock*, 4> outside(llvm::predecessors(header));
  edges_.setBlock(*level.header, header);
  builder_.SetInsertPoint(header);
  if (level.divergent) masks_.clear(*masks_.nextIteration(level));
  emitLevel(level);
  if (tile_.outgrown()) return;
  if (!level.linearised) {  // its branches have left
    describeLoop(level, *header, outside);
    return;
  }
  if (!level.divergent) {
    builder_.CreateUnreachable();  // all lanes have left together
    describeLoop(level, *header, outside);
    return;
  }
  builder_.CreateCondBr(masks_.beginIteration(level), header, after);
  describeLoop(level, *header, outside);
  after->moveAfter(&tile_.function.back());
  builder_.SetInsertPoint(after);
  if (level.parent->linearised) return;  // the parent's line goes on
  llvm::SmallVector<llvm::BasicBlock*, 4> exits;
  level.loop->getUniqueExitBlocks(exits);
  builder_.CreateBr(edges_.blockOf(*exits[0]));
}

/// Pragmas stay with the loop. Loops of a packet under a mask run rarely: unrolling them would only cost build time.
void PacketLoops::describeLoop(const Level& level, llvm::BasicBlock& header,
                               llvm::ArrayRef<llvm::BasicBlock*> outside) {
  llvm::MDNode* properties = level.loop->getLoopID();
  if (!properties) {
    if (!tile_.input.lanes) return;
    properties = loopProperties(tile_.context, loopProperty(tile_.context, "llvm.loop.unroll.runtime.disable"));
  }
  for (llvm::BasicBlock* from : llvm::predecessors(&header))
    if (!llvm::is_contained(outside, from)) from->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, properties);
}

/// The loop for as long as all lanes are active: no masks. `masked` is the header of the loop's other form.
void PacketLoops::emitSteady(const Level& level, const SteadyLoop& steady, llvm::BasicBlock& masked,
                             llvm::BasicBlock& after, EmitLevel emitLevel) {
  llvm::BasicBlock* header = tile_.newBlock("packet.steady." + level.header->getName());
  builder_.CreateBr(header);
  tile_.plan.selectForm(&steady);
  edges_.setBlock(*level.header, header);
  masked_ = &masked;
  masks_.setLevel(*steady.level, nullptr);
  const LaneMasks::Cells* next = steady.level->divergent ? &masks_.makeVariables("next.iteration") : nullptr;
  masks_.nextIteration(*steady.level) = next;
  builder_.SetInsertPoint(header);
  if (next) masks_.clear(*next);
  emitLevel(*steady.level);
  if (tile_.outgrown()) return tile_.plan.selectForm(nullptr);
  if (steady.level->linearised && !next) builder_.CreateUnreachable();
  if (next) {
    // Some may have left in the middle of the iteration.
    LaneMasks::Masks lanes;
    for (unsigned cell = 0; cell < next->size(); ++cell) {
      lanes.push_back(masks_.load((*next)[cell]));
      masks_.store(lanes.back(), (*masks_.ofLevel(level))[cell]);
    }
    llvm::BasicBlock* some = tile_.newBlock("packet.left");
    builder_.CreateCondBr(masks_.all(lanes), header, some);
    builder_.SetInsertPoint(some);
    builder_.CreateCondBr(masks_.any(lanes), &masked, &after);
  }
  tile_.plan.selectForm(nullptr);
}

void PacketLoops::leaveSteady(llvm::BasicBlock& block) {
  const Level& level = tile_.plan.levelOf(block);
  const bool whenTrue = level.loop->contains(block.getTerminator()->getSuccessor(0));
  llvm::BasicBlock& inside = *block.getTerminator()->getSuccessor(whenTrue ? 0 : 1);
  llvm::BasicBlock& outside = *block.getTerminator()->getSuccessor(whenTrue ? 1 : 0);
  llvm::Value* stay = allStay(block, whenTrue);
  llvm::BasicBlock* on = tile_.newBlock("packet.stay");
  llvm::BasicBlock* leave = tile_.newBlock("packet.leave");
  builder_.CreateCondBr(stay, on, leave);
  builder_.SetInsertPoint(leave);
  llvm::Value* allLeave = allStay(block, !whenTrue);
  llvm::BasicBlock* out = edges_.uniformEdge(block, outside);
  builder_.SetInsertPoint(leave);
  builder_.CreateCondBr(allLeave, out, masked_);
  builder_.SetInsertPoint(on);
  if (level.linearised && &inside != level.header) {
    edges_.arrive(block, inside, masks_.current(), nullptr);
    return;
  }
  llvm::BasicBlock* edge = edges_.uniformEdge(block, inside);
  builder_.SetInsertPoint(on);
  builder_.CreateBr(edge);
}

llvm::Value* PacketLoops::allStay(llvm::BasicBlock& block, bool whenTrue) {
  const llvm::Value& condition = *block.getTerminator()->getOperand(0);
  const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  if (comparison && comparison->isRelational() && !comparison->getOperand(0)->getType()->isPointerTy()) {
    const Form forms[] = {tile_.forms.form(*comparison->getOperand(0)), tile_.forms.form(*comparison->getOperand(1))};
    const bool left = forms[0] == Form::Affine && forms[1] == Form::Uniform,
               right = forms[0] == Form::Uniform && forms[1] == Form::Affine;
    if ((left || right) && wrapsOnceAtMost(*comparison->getOperand(left ? 0 : 1)))
      return allPass(*comparison, whenTrue ? comparison->getPredicate() : comparison->getInversePredicate());
  }
  llvm::SmallVector<llvm::Value*, 4> lanes;
  for (unsigned cell = 0; cell < tile_.shape.cells(); ++cell) {
    llvm::Value* decided = values_.vector(condition, cell);
    lanes.push_back(whenTrue ? decided : builder_.CreateNot(decided));
  }
  return masks_.all(lanes);
}

bool PacketLoops::wrapsOnceAtMost(const llvm::Value& affine) const {
  const std::uint64_t range = llvm::maskTrailingOnes<std::uint64_t>(affine.getType()->getIntegerBitWidth());
  return static_cast<std::uint64_t>(distance(tile_.forms.stride(affine))) <= range / tile_.shape.width();
}

/// An affine value on one side of a bound: what holds for the first and the last lane of a row holds for those between
/// them, unless the value wraps there.
llvm::Value* PacketLoops::allPass(const llvm::ICmpInst& comparison, llvm::CmpInst::Predicate predicate) {
  const bool left = tile_.forms.form(*comparison.getOperand(0)) == Form::Affine;
  const llvm::Value& affine = *comparison.getOperand(left ? 0 : 1);
  const llvm::Value& bound = *comparison.getOperand(left ? 1 : 0);
  if (!left) predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  const PacketShape& shape = tile_.shape;
  const std::int64_t stride = tile_.forms.stride(affine);
  const llvm::CmpInst::Predicate grows = comparison.isSigned() ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE;
  llvm::Value* all = nullptr;
  const auto demand = [&](llvm::Value* more) { all = all ? builder_.CreateAnd(all, more) : more; };
  for (unsigned row = 0; row < shape.rows; ++row) {
    const unsigned cell = shape.cell(row, shape.packets - 1);
    llvm::Value* first = values_.scalar(affine, shape.cell(row, 0));
    llvm::Value* last = tile_.advance(values_.scalar(affine, cell), wrappingProduct(stride, tile_.lanes - 1), affine);
    demand(builder_.CreateICmp(predicate, first, values_.scalar(bound, shape.cell(row, 0))));
    demand(builder_.CreateICmp(predicate, last, values_.scalar(bound, cell)));
    demand(builder_.CreateICmp(grows, stride < 0 ? last : first, stride < 0 ? first : last));
  }
  return all;
}

}  // namespace clarity::compiler
