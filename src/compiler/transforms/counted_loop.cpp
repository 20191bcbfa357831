// SPDX-License-Identifier: Apache-2.0
// This file finds the comparison of a counter at the header of a loop.
#include "compiler/transforms/counted_loop.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {
namespace {

llvm::Value* withoutExtension(llvm::Value* value, bool isSigned) {
  if (isSigned ? llvm::isa<llvm::SExtInst>(value) : llvm::isa<llvm::ZExtInst>(value))
    return llvm::cast<llvm::CastInst>(value)->getOperand(0);
  return value;
}

}  // namespace

bool endsAtHeader(const llvm::Loop& loop) {
  const llvm::BasicBlock* header = loop.getHeader();
  return loop.isInnermost() && !loop.getParentLoop() && loop.getLoopPreheader() && loop.getLoopLatch() &&
         loop.getLoopLatch() != header && loop.getExitingBlock() == header;
}

std::optional<LoopTest> testOf(const llvm::Loop& loop) {
  const llvm::BasicBlock* header = loop.getHeader();
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(header->getTerminator());
  const auto* comparison =
      branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (!comparison) return std::nullopt;
  LoopTest test;
  test.predicate =
      loop.contains(branch->getSuccessor(0)) ? comparison->getPredicate() : comparison->getInversePredicate();
  for (const bool swapped : {false, true}) {
    test.counter = llvm::dyn_cast<llvm::PHINode>(
        withoutExtension(comparison->getOperand(swapped ? 1 : 0), llvm::CmpInst::isSigned(test.predicate)));
    test.limit = comparison->getOperand(swapped ? 0 : 1);
    if (!test.counter || test.counter->getParent() != header) continue;
    if (swapped) test.predicate = llvm::CmpInst::getSwappedPredicate(test.predicate);
    return test;
  }
  return std::nullopt;
}

}  // namespace clarity::compiler
