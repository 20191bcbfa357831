// SPDX-License-Identifier: Apache-2.0
// This file looks at every innermost loop's exits, accesses and calls.
#include "compiler/passes/loop_order.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/analysis/variance.h"
#include "compiler/primitives.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstdlib>

namespace clarity::compiler {
namespace {

/// Loops that LLVM unrolls whole are better off inside: their values stay in registers.
constexpr unsigned unrolledTurns = 32;

class LoopJudge {
public:
  LoopJudge(const VarianceInfo& variance, llvm::ScalarEvolution& evolution) : variance_(variance), evolution_(evolution) {}

  bool shouldRunAround(const llvm::Loop& loop) const {
    if (!loop.isInnermost() || !loop.getLoopPreheader()) return false;
    if (const unsigned turns = evolution_.getSmallConstantMaxTripCount(&loop); turns != 0 && turns <= unrolledTurns) return false;
    bool neighbours = false;
    for (const llvm::BasicBlock* block : loop.blocks()) {
      if (!variance_.divergence(*block).empty() || !variance_.branchesUniformly(*block)) return false;
      for (const llvm::Instruction& instruction : *block)
        if (!suits(instruction, loop, neighbours)) return false;
    }
    return neighbours;
  }

private:
  bool suits(const llvm::Instruction& instruction, const llvm::Loop& loop, bool& neighbours) const {
    if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) return suitsAccess(instruction, *pointer, loop, neighbours);
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
      if (const auto primitive = primitiveOf(*call)) return *primitive != Primitive::Barrier;
      const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
      return intrinsic && (intrinsic->isAssumeLikeIntrinsic() || llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID()));
    }
    return !instruction.mayReadOrWriteMemory() && !instruction.getType()->isVectorTy();
  }

  bool suitsAccess(const llvm::Instruction& access, const llvm::Value& pointer, const llvm::Loop& loop, bool& neighbours) const {
    if (access.isVolatile() || access.isAtomic() || llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0))) return false;
    llvm::Type* type = llvm::getLoadStoreType(&access);
    if (type->isVectorTy() || type->isAggregateType()) return false;
    const ValueVariance variance = variance_.of(pointer);
    if (!variance.dims.has(0)) return llvm::isa<llvm::LoadInst>(access);
    const auto size = static_cast<std::int64_t>(access.getDataLayout().getTypeAllocSize(type).getFixedValue());
    if (!variance.stride[0] || std::llabs(*variance.stride[0]) != size) return false;
    // What the loop itself walks through element by element is as well off inside.
    if (!loop.isLoopInvariant(&pointer)) neighbours = true;
    return true;
  }

  const VarianceInfo& variance_;
  llvm::ScalarEvolution& evolution_;
};

}  // namespace

llvm::PreservedAnalyses LoopOrderPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const VarianceInfo& variance = analyses.getResult<VarianceAnalysis>(function);
  const LoopJudge judge(variance, analyses.getResult<llvm::ScalarEvolutionAnalysis>(function));
  bool changed = false;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
    if (judge.shouldRunAround(*loop)) {
      loop->getHeader()->getTerminator()->setMetadata(loopAroundMetadata, llvm::MDNode::get(function.getContext(), {}));
      changed = true;
    }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace clarity::compiler
