// SPDX-License-Identifier: Apache-2.0
// This file walks from the innermost loop's branch outwards.
#include "compiler/analysis/item_nest.h"

#include "compiler/analysis/variance.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/collectives.h"
#include "compiler/ir/strip_marks.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

namespace clarity::compiler {
namespace {

bool closesInnermost(const llvm::BasicBlock& block) {
  const llvm::MDNode* mark = block.getTerminator() ? block.getTerminator()->getMetadata(itemLoopMetadata) : nullptr;
  return mark && llvm::mdconst::extract<llvm::ConstantInt>(mark->getOperand(0))->isZero();
}

ItemNest nestAround(llvm::BasicBlock& innermostLatch) {
  ItemNest nest;
  nest.latch = &innermostLatch;
  llvm::BasicBlock* latch = &innermostLatch;
  for (unsigned d = 0; d < 3; ++d) {
    auto* branch = llvm::cast<llvm::BranchInst>(latch->getTerminator());
    nest.latches[d] = latch;
    nest.header[d] = branch->getSuccessor(0);
    nest.counter[d] = llvm::cast<llvm::PHINode>(&nest.header[d]->front());
    nest.end[d] = llvm::cast<llvm::ICmpInst>(branch->getCondition())->getOperand(1);
    const unsigned first = nest.counter[d]->getIncomingBlock(0) == latch ? 1 : 0;
    nest.begin[d] = nest.counter[d]->getIncomingValue(first);
    if (d == 2) {
      nest.before = nest.counter[d]->getIncomingBlock(first);
      nest.after = branch->getSuccessor(1);
    }
    latch = branch->getSuccessor(1);
    while (d < 2 && !latch->getTerminator()->getMetadata(itemLoopMetadata)) latch = latch->getSingleSuccessor();
  }
  nest.entry = nest.header[0]->getSingleSuccessor();
  return nest;
}

}  // namespace

llvm::SmallVector<ItemNest, 4> findItemNests(llvm::Function& function) {
  llvm::SmallVector<ItemNest, 4> nests;
  for (llvm::BasicBlock& block : function)
    if (closesInnermost(block)) nests.push_back(nestAround(block));
  return nests;
}

bool endsByRow(const ItemNest& nest) {
  const auto* end = llvm::dyn_cast<llvm::Instruction>(nest.end[0]);
  return end && end->getParent() == nest.header[1];
}

void setCounterRange(llvm::PHINode& counter, llvm::BasicBlock& latch, llvm::Value* begin, llvm::Value* end) {
  counter.setIncomingValue(counter.getIncomingBlock(0) == &latch ? 1 : 0, begin);
  llvm::cast<llvm::ICmpInst>(llvm::cast<llvm::BranchInst>(latch.getTerminator())->getCondition())->setOperand(1, end);
}

bool isInterior(const ItemNest& nest) { return nest.latch->getTerminator()->getMetadata(interiorMetadata) != nullptr; }

bool copiesPanel(const ItemNest& nest) { return nest.latch->getTerminator()->getMetadata(panelMetadata) != nullptr; }

unsigned mostSideBySide(const ItemNest& nest) {
  const llvm::MDNode* mark = nest.latch->getTerminator()->getMetadata(blockMetadata);
  return mark ? static_cast<unsigned>(llvm::mdconst::extract<llvm::ConstantInt>(mark->getOperand(0))->getZExtValue())
              : 0;
}

namespace {

/// Whether a run calls a sub-group function of a kind that `fits`.
template <class Fits>
bool callsSubGroup(const ItemNest& nest, Fits fits) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 32> seen{nest.latch};
  llvm::SmallVector<const llvm::BasicBlock*, 32> work{nest.header[0]};
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.pop_back_val();
    if (!seen.insert(block).second) continue;
    for (const llvm::Instruction& instruction : *block)
      if (const auto asked = collectiveOf(instruction, subGroupPrefix); asked && fits(*asked)) return true;
    work.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
  return false;
}

}  // namespace

bool asksSubGroup(const ItemNest& nest) {
  return callsSubGroup(nest, [](const Collective&) { return true; });
}

bool waitsForSubGroups(const ItemNest& nest) {
  return callsSubGroup(nest, [](const Collective& asked) { return asked.kind == Collective::Kind::Yield; });
}

std::uint64_t mostItems(const ItemNest& nest, unsigned dimension) {
  using namespace llvm::PatternMatch;
  const llvm::APInt* size;
  if (match(nest.end[dimension], m_APInt(size))) return size->getZExtValue();
  if (match(nest.end[dimension], m_UMin(m_Value(), m_APInt(size)))) return size->getZExtValue();
  return 0;
}

}  // namespace clarity::compiler
