// SPDX-License-Identifier: Apache-2.0
// This file compares where the counters of neighbouring work-items start with what an iteration adds to them.
#include "compiler/nvptx/even_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <cstdlib>
#include <utility>

namespace clarity::compiler::nvptx {
namespace {

/// The value that an iteration adds to a counter, which is given before or after that; nullptr if it adds none.
const llvm::Value* stepOf(const llvm::Value& counter, const llvm::Loop& loop) {
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  if (!latch) return nullptr;
  for (const llvm::PHINode& phi : loop.getHeader()->phis()) {
    const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(latch));
    if (!next || next->getOpcode() != llvm::Instruction::Add || (&counter != &phi && &counter != next)) continue;
    if (next->getOperand(0) == &phi) return next->getOperand(1);
    if (next->getOperand(1) == &phi) return next->getOperand(0);
  }
  return nullptr;
}

bool isEven(const llvm::Value& condition, const llvm::Loop& loop, const VarianceInfo& variance) {
  using namespace llvm::PatternMatch;
  const auto varies = [&](const llvm::Value& value) { return variance.of(value).dims.has(0); };
  if (!varies(condition)) return true;
  const llvm::Value *one = nullptr, *other = nullptr;
  if (match(&condition, m_LogicalOp(m_Value(one), m_Value(other))))
    return isEven(*one, loop, variance) && isEven(*other, loop, variance);
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  if (!compare) return false;
  const llvm::Value *counter = compare->getOperand(0), *bound = compare->getOperand(1);
  if (!varies(*counter)) std::swap(counter, bound);
  if (varies(*bound)) return false;
  const auto stride = variance.of(*counter).stride[0];
  const llvm::Value* step = stepOf(*counter, loop);
  if (!stride || !step || varies(*step)) return false;
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(step);
  return !known || std::abs(*stride) <= std::abs(known->getSExtValue());
}

}  // namespace

bool leaveEvenly(const llvm::Instruction& branch, const llvm::Loop& loop, const VarianceInfo& variance) {
  const auto* conditional = llvm::dyn_cast<llvm::BranchInst>(&branch);
  return conditional && conditional->isConditional() && isEven(*conditional->getCondition(), loop, variance);
}

}  // namespace clarity::compiler::nvptx
