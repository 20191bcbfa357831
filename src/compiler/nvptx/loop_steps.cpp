// SPDX-License-Identifier: Apache-2.0
// This file compares counters and addresses of neighbouring work-items with what an iteration adds to them.
#include "compiler/nvptx/loop_steps.h"

#include "compiler/analysis/affine.h"
#include "compiler/ir/cost_model.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
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

/// `min(x, n)` with a common n counts as x: few work-items reach the end of the data.
const llvm::Value& withoutMinimum(const llvm::Value& bound, const VarianceInfo& variance) {
  const auto* extreme = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&bound);
  if (!extreme) return bound;
  if (variance.uniform(*extreme->getLHS())) return uncast(*extreme->getRHS());
  return variance.uniform(*extreme->getRHS()) ? uncast(*extreme->getLHS()) : bound;
}

/// Whether a loop from `start` to `bound` takes as many steps for all neighbours along a dimension, though both differ
/// between them: `g * part` and `g * part + part`, or `(g + 1) * part`.
bool areAsFarApart(const llvm::Value& start, const llvm::Value& bound, const VarianceInfo& variance, unsigned along) {
  using namespace llvm::PatternMatch;
  const auto isCommon = [&](const llvm::Value* value) { return !variance.of(*value).dims.has(along); };
  const auto stride = variance.of(start).stride[along];
  if (stride && variance.of(bound).stride[along] == stride) return true;
  llvm::Value *more = nullptr, *group = nullptr, *part = nullptr;
  if (match(&bound, m_c_Add(m_Specific(&start), m_Value(more)))) return isCommon(more);
  return match(&start, m_c_Mul(m_Value(group), m_Value(part))) &&
         match(&bound, m_c_Mul(m_c_Add(m_Specific(group), m_Value(more)), m_Specific(part))) && isCommon(more);
}

/// Whether neighbours along a dimension leave a loop by a condition evenly.
bool isEven(const llvm::Value& condition, const llvm::Loop& loop, const VarianceInfo& variance, unsigned along) {
  using namespace llvm::PatternMatch;
  const auto varies = [&](const llvm::Value& value) { return variance.of(value).dims.has(along); };
  if (!varies(condition)) return true;
  const llvm::Value *one = nullptr, *other = nullptr;
  if (match(&condition, m_LogicalOp(m_Value(one), m_Value(other))))
    return isEven(*one, loop, variance, along) && isEven(*other, loop, variance, along);
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  if (!compare) return false;
  const llvm::Value *counter = compare->getOperand(0), *bound = compare->getOperand(1);
  if (!counterOf(uncast(*counter), loop)) std::swap(counter, bound);
  const auto known = counterOf(uncast(*counter), loop);
  if (!known || varies(*known->step)) return false;
  const auto stride = variance.of(*known->start).stride[along];
  const auto* step = llvm::dyn_cast<llvm::ConstantInt>(known->step);
  if (varies(*bound))
    return areAsFarApart(uncast(*known->start), withoutMinimum(uncast(*bound), variance), variance, along);
  return stride && (!step || std::abs(*stride) <= std::abs(step->getSExtValue()));
}

/// Whether no block of a loop lets neighbours along a dimension out in different iterations, unless evenly.
bool loopsEvenly(llvm::Function& kernel, const llvm::LoopInfo& loops, const llvm::PostDominatorTree& after,
                 const VarianceInfo& variance, unsigned along) {
  return llvm::all_of(kernel, [&](const llvm::BasicBlock& block) {
    const llvm::Loop* loop = loops.getLoopFor(&block);
    if (!loop || !dimensionsOfDivergentExit(block, *loop, after, variance).has(along)) return true;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    return branch && branch->isConditional() && isEven(*branch->getCondition(), *loop, variance, along);
  });
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

bool loopsEvenly(llvm::Function& kernel, const llvm::LoopInfo& loops, const llvm::PostDominatorTree& after,
                 const VarianceInfo& variance) {
  const GroupsInStep groups{.axis = 1};
  return loopsEvenly(kernel, loops, after, variance, 0) &&
         loopsEvenly(kernel, loops, after, VarianceInfo::ofGroups(kernel, groups), groups.axis);
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
