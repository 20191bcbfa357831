// SPDX-License-Identifier: Apache-2.0
// This file compares counters and addresses of neighbouring work-items with what an iteration adds to them.
#include "compiler/nvptx/loop_steps.h"

#include "compiler/analysis/affine.h"
#include "compiler/ir/cost_model.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

namespace clarity::compiler::nvptx {
namespace {

/// The operand of a chain of integer casts: LLVM counts in 64 bits from an id on, and compares 32.
const llvm::Value& uncast(const llvm::Value& value) {
  const auto* cast = llvm::dyn_cast<llvm::CastInst>(&value);
  return cast && cast->isIntegerCast() ? uncast(*cast->getOperand(0)) : value;
}

/// A value that counts the iterations of a loop.
struct Counter {
  const llvm::Value *start = nullptr, *step = nullptr;
};

/// Nothing for a value that is neither a counter nor its value in the next iteration.
std::optional<Counter> counterOf(const llvm::Value& value, const llvm::Loop& loop) {
  const llvm::BasicBlock *before = loop.getLoopPreheader(), *latch = loop.getLoopLatch();
  if (!before || !latch) return std::nullopt;
  for (const llvm::PHINode& phi : loop.getHeader()->phis()) {
    const llvm::Value& back = uncast(*phi.getIncomingValueForBlock(latch));
    const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(&back);
    if ((&value != &phi && &value != next) || !next || next->getOpcode() != llvm::Instruction::Add) continue;
    for (const unsigned i : {0U, 1U})
      if (&uncast(*next->getOperand(i)) == &phi)
        return Counter{phi.getIncomingValueForBlock(before), next->getOperand(1 - i)};
  }
  return std::nullopt;
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
  const auto known = counterOf(uncast(*counter), loop);
  if (!known || varies(*known->step)) return false;
  const auto stride = variance.of(*known->start).stride[0];
  const auto* step = llvm::dyn_cast<llvm::ConstantInt>(known->step);
  return stride && (!step || std::abs(*stride) <= std::abs(step->getSExtValue()));
}

/// By how much a value, of an address in bytes, grows from one iteration to the next; nothing where that is no
/// constant.
std::optional<std::int64_t> growth(const llvm::Value& value, const llvm::Loop& loop, unsigned depth) {
  if (isLoopInvariant(value, loop)) return 0;
  const auto* instruction = llvm::cast<llvm::Instruction>(&value);
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
    const auto* step = phi->getParent() == loop.getHeader() && phi->getType()->isIntegerTy()
                           ? llvm::dyn_cast_if_present<llvm::ConstantInt>(stepOf(*phi, loop))
                           : nullptr;
    return step ? std::optional(step->getSExtValue()) : std::nullopt;
  }
  const auto operation = affineOperationOf(value, instruction->getDataLayout());
  if (!operation || depth == cost::search::growthDepth) return std::nullopt;
  std::int64_t sum = 0;
  for (const AffineOperation::Term& term : operation->terms) {
    const auto own = growth(*term.operand, loop, depth + 1);
    if (!own) return std::nullopt;
    sum += term.factor * *own;
  }
  return sum;
}

}  // namespace

bool exitsEvenly(const llvm::Instruction& branch, const llvm::Loop& loop, const VarianceInfo& variance) {
  const auto* conditional = llvm::dyn_cast<llvm::BranchInst>(&branch);
  return conditional && conditional->isConditional() && isEven(*conditional->getCondition(), loop, variance);
}

Dimensions dimensionsOfDivergentExit(const llvm::BasicBlock& block, const llvm::Loop& loop,
                                     const llvm::PostDominatorTree& after, const VarianceInfo& variance) {
  const llvm::Instruction* terminator = block.getTerminator();
  if (terminator->getNumSuccessors() < 2) return {};
  const Dimensions parting = variance.of(*terminator->getOperand(0)).dims | variance.of(*terminator).dims;
  if (parting.empty()) return {};
  const auto* node = after.getNode(&block);
  const auto* meeting = node ? node->getIDom() : nullptr;
  return meeting && meeting->getBlock() && loop.contains(meeting->getBlock()) ? Dimensions() : parting;
}

bool slidesAlongX(const llvm::Value& address, const llvm::Loop& loop, const ValueVariance& variance) {
  const auto grown = growth(address, loop, 0);
  const auto stride = variance.stride[0];
  return grown && *grown != 0 && stride && *stride != 0 && *grown % *stride == 0;
}

}  // namespace clarity::compiler::nvptx
