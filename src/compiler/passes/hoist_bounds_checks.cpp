// SPDX-License-Identifier: Apache-2.0
// This file finds the first and the last value of expectations in loops.
#include "compiler/passes/hoist_bounds_checks.h"

#include "compiler/analysis/affine.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/transforms/preserved.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace clarity::compiler {
namespace {

/// Bits of a step and of a number of iterations. Only what steps 2^31 times by 2^33 bytes comes back to its memory from
/// the other end of all addresses, and the processor sees it on the way.
constexpr unsigned mostStepBits = 34, mostIterationBits = 32;

class BoundsCheckHoister {
public:
  BoundsCheckHoister(llvm::LoopInfo& loops, llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution)
      : loops_(loops), dominators_(dominators), evolution_(evolution), expander_(evolution, "bounds") {}

  bool run() {
    bool changed = false;
    for (llvm::Loop* loop : llvm::reverse(loops_.getLoopsInPreorder())) changed |= hoistFrom(*loop);
    return changed;
  }

private:
  bool hoistFrom(const llvm::Loop& loop) {
    llvm::BasicBlock *const preheader = loop.getLoopPreheader(), *const latch = loop.getLoopLatch();
    llvm::BasicBlock* const exiting = loop.getExitingBlock();
    if (!preheader || !latch || !exiting || (exiting != latch && exiting != loop.getHeader())) return false;
    llvm::SmallVector<llvm::CallInst*, 8> found;
    for (llvm::BasicBlock* block : loop.blocks()) {
      if (loops_.getLoopFor(block) != &loop || !dominators_.dominates(block, latch)) continue;
      for (llvm::Instruction& instruction : *block)
        if (primitiveOf(instruction) == Primitive::ExpectBelow)
          found.push_back(llvm::cast<llvm::CallInst>(&instruction));
    }
    bool changed = false;
    for (llvm::CallInst* expectation : found) {
      // A loop that tests first executes its test once more than its body.
      const bool isBehindTest = exiting != latch && expectation->getParent() != exiting;
      changed |= hoist(*expectation, loop, isBehindTest, *preheader->getTerminator());
    }
    return changed;
  }

  bool hoist(llvm::CallInst& expectation, const llvm::Loop& loop, bool isBehindTest, llvm::Instruction& ahead) {
    const llvm::SCEV* value = evolution_.getSCEV(expectation.getArgOperand(0));
    if (!evolution_.isLoopInvariant(value, &loop) && !llvm::isa<llvm::SCEVAddRecExpr>(value))
      value = unwrapped(expectation.getArgOperand(0), 0);
    const llvm::SCEV* const limit = evolution_.getSCEV(expectation.getArgOperand(1));
    const llvm::SCEV* const backEdges = evolution_.getBackedgeTakenCount(&loop);
    if (!evolution_.isLoopInvariant(limit, &loop) || llvm::isa<llvm::SCEVCouldNotCompute>(backEdges)) return false;
    llvm::SmallVector<const llvm::SCEV*, 2> values{value};
    if (!evolution_.isLoopInvariant(value, &loop)) {
      const auto* growing = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value);
      if (!growing || growing->getLoop() != &loop || !growing->isAffine() ||
          evolution_.getUnsignedRangeMax(backEdges).getActiveBits() > mostIterationBits ||
          evolution_.getSignedRange(growing->getStepRecurrence(evolution_)).getMinSignedBits() > mostStepBits)
        return false;
      const llvm::SCEV* last = evolution_.getTruncateOrZeroExtend(backEdges, value->getType());
      if (isBehindTest) last = evolution_.getMinusSCEV(last, evolution_.getOne(last->getType()));
      values = {growing->getStart(), growing->evaluateAtIteration(last, evolution_)};
    }
    const auto isSafe = [&](const llvm::SCEV* one) { return expander_.isSafeToExpandAt(one, &ahead); };
    if (!isSafe(limit) || !isSafe(backEdges) || !llvm::all_of(values, isSafe)) return false;
    const auto expanded = [&](const llvm::SCEV* one) {
      return expander_.expandCodeFor(one, one->getType(), ahead.getIterator());
    };
    llvm::IRBuilder<> builder(&ahead);
    builder.SetCurrentDebugLocation(expectation.getDebugLoc());
    // Nothing is expected of a body that is never executed.
    llvm::Value* none = nullptr;
    if (isBehindTest && !evolution_.isKnownNonZero(backEdges))
      none = builder.CreateICmpEQ(expanded(backEdges), llvm::ConstantInt::get(backEdges->getType(), 0));
    llvm::Value* room = expanded(limit);
    if (none) room = builder.CreateSelect(none, builder.getInt64(1), room);
    for (const llvm::SCEV* one : values) {
      llvm::Value* at = expanded(one);
      if (none) at = builder.CreateSelect(none, builder.getInt64(0), at);
      builder.CreateCall(expectation.getCalledFunction(), {at, room});
    }
    expectation.eraseFromParent();
    return true;
  }

  // An index of fewer than 64 bits that has `nsw` is computed in 64 bits. If it overflows in the program, which is
  // undefined behaviour, what is compared with the limit is the number that has not overflowed.

  /// A value of 64 bits.
  const llvm::SCEV* unwrapped(llvm::Value* value, unsigned depth) {
    auto* const operation = depth < cost::search::boundsDepth ? llvm::dyn_cast<llvm::Operator>(value) : nullptr;
    if (!operation) return evolution_.getSCEV(value);
    const auto operand = [&](unsigned index) { return unwrapped(operation->getOperand(index), depth + 1); };
    switch (operation->getOpcode()) {
      case llvm::Instruction::SExt: return widened(operation->getOperand(0), depth + 1);
      case llvm::Instruction::ZExt:
        if (llvm::cast<llvm::Instruction>(operation)->hasNonNeg()) return widened(operation->getOperand(0), depth + 1);
        break;
      case llvm::Instruction::PtrToInt: return ofPointer(*operation, depth);
      default: break;
    }
    const llvm::SCEV* const made = arithmetic(*operation, operand);
    return made ? made : evolution_.getSCEV(value);
  }

  /// The same for a value of fewer bits, with its sign.
  const llvm::SCEV* widened(llvm::Value* value, unsigned depth) {
    llvm::Type* const wide = llvm::Type::getInt64Ty(value->getContext());
    const auto* operation = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(value);
    const llvm::SCEV* made = nullptr;
    if (depth < cost::search::boundsDepth && operation && operation->hasNoSignedWrap())
      made = arithmetic(*operation, [&](unsigned index) { return widened(operation->getOperand(index), depth + 1); });
    return made ? made : evolution_.getSignExtendExpr(evolution_.getSCEV(value), wide);
  }

  /// A sum, difference or product of the operands as `operand` gives them; nullptr for other operations.
  const llvm::SCEV* arithmetic(const llvm::Operator& operation,
                               llvm::function_ref<const llvm::SCEV*(unsigned index)> operand) {
    switch (operation.getOpcode()) {
      case llvm::Instruction::Add: return evolution_.getAddExpr(operand(0), operand(1));
      case llvm::Instruction::Sub: return evolution_.getMinusSCEV(operand(0), operand(1));
      case llvm::Instruction::Mul: return evolution_.getMulExpr(operand(0), operand(1));
      case llvm::Instruction::Shl: {
        const auto* by = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
        return by ? evolution_.getMulExpr(operand(0), powerOf2(*by)) : nullptr;
      }
      default: return nullptr;
    }
  }

  const llvm::SCEV* ofPointer(llvm::Operator& toInteger, unsigned depth) {
    auto* const step = llvm::dyn_cast<llvm::GEPOperator>(toInteger.getOperand(0));
    const llvm::DataLayout& layout = evolution_.getDataLayout();
    const auto operation = step ? affineOperationOf(*step, layout) : std::nullopt;
    if (!operation || layout.getIndexTypeSizeInBits(step->getType()) != 64) return evolution_.getSCEV(&toInteger);
    const auto constant = [&](std::int64_t bytes) {
      return evolution_.getConstant(llvm::APInt(64, static_cast<std::uint64_t>(bytes)));
    };
    const llvm::SCEV* sum =
        evolution_.getPtrToIntExpr(evolution_.getSCEV(step->getPointerOperand()), toInteger.getType());
    sum = evolution_.getAddExpr(sum, constant(operation->constant));
    for (const auto& [index, bytes] : llvm::drop_begin(operation->terms)) {
      const bool isWide = index->getType()->isIntegerTy(64);
      const llvm::SCEV* const number = isWide ? unwrapped(index, depth + 1) : widened(index, depth + 1);
      sum = evolution_.getAddExpr(sum, evolution_.getMulExpr(number, constant(bytes)));
    }
    return sum;
  }

  const llvm::SCEV* powerOf2(const llvm::ConstantInt& exponent) {
    return evolution_.getConstant(llvm::APInt(64, 1).shl(exponent.getValue().getLimitedValue(63)));
  }

  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::ScalarEvolution& evolution_;
  llvm::SCEVExpander expander_;
};

}  // namespace

llvm::PreservedAnalyses HoistBoundsChecksPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  BoundsCheckHoister hoister(analyses.getResult<llvm::LoopAnalysis>(function),
                             analyses.getResult<llvm::DominatorTreeAnalysis>(function),
                             analyses.getResult<llvm::ScalarEvolutionAnalysis>(function));
  return sameControlFlow(hoister.run());
}

}  // namespace clarity::compiler
