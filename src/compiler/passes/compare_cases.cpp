// SPDX-License-Identifier: Apache-2.0
// This file joins the cases of a switch into ranges, and the ranges into one condition.
#include "compiler/passes/compare_cases.h"

#include "compiler/analysis/no_wrap.h"
#include "compiler/ir/cost_model.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/ProfDataUtils.h>

#include <algorithm>
#include <cstdint>

namespace clarity::compiler {
namespace {

/// Cases from `first` to `last`.
struct CaseRange {
  llvm::APInt first, last;
};

/// The one block that all cases lead to which do not lead where the default does; nullptr if there are several.
llvm::BasicBlock* otherWay(llvm::SwitchInst& choice) {
  llvm::BasicBlock* other = nullptr;
  for (const auto& one : choice.cases()) {
    if (one.getCaseSuccessor() == choice.getDefaultDest()) continue;
    if (other && other != one.getCaseSuccessor()) return nullptr;
    other = one.getCaseSuccessor();
  }
  return other;
}

/// The ranges of the cases that lead to a block, as unsigned numbers.
llvm::SmallVector<CaseRange, 4> rangesTo(llvm::SwitchInst& choice, const llvm::BasicBlock& target) {
  llvm::SmallVector<llvm::APInt, 8> values;
  for (const auto& one : choice.cases())
    if (one.getCaseSuccessor() == &target) values.push_back(one.getCaseValue()->getValue());
  llvm::sort(values, [](const llvm::APInt& a, const llvm::APInt& b) { return a.ult(b); });
  llvm::SmallVector<CaseRange, 4> ranges;
  for (const llvm::APInt& value : values)
    if (!ranges.empty() && ranges.back().last + 1 == value)
      ranges.back().last = value;
    else
      ranges.push_back({value, value});
  return ranges;
}

/// The value that a switch cuts to fewer bits without a loss, or what it asks itself.
llvm::Value& wholeValue(llvm::Value& asked) {
  auto* cut = llvm::dyn_cast<llvm::TruncInst>(&asked);
  if (!cut) return asked;
  llvm::Value& whole = *cut->getOperand(0);
  const unsigned bits = asked.getType()->getIntegerBitWidth();
  const bool fits = cut->hasNoUnsignedWrap() || valuesOf(whole).getUnsignedMax().isIntN(bits);
  return fits ? whole : asked;
}

llvm::Value* conditionOf(llvm::Value& value, llvm::ArrayRef<CaseRange> ranges, llvm::IRBuilder<>& builder) {
  const unsigned bits = value.getType()->getIntegerBitWidth();
  llvm::Value* joined = nullptr;
  for (const auto& [first, last] : ranges) {
    const llvm::APInt low = first.zext(bits), high = last.zext(bits);
    llvm::Value* inside =
        low == high ? builder.CreateICmpEQ(&value, builder.getInt(low))
                    : builder.CreateICmpULT(low.isZero() ? &value : builder.CreateSub(&value, builder.getInt(low)),
                                            builder.getInt(high - low + 1));
    joined = joined ? builder.CreateOr(joined, inside) : inside;
  }
  return joined;
}

/// How often the block and the default are taken, where the program says it.
llvm::MDNode* weightsOf(llvm::SwitchInst& choice, const llvm::BasicBlock& target) {
  llvm::SmallVector<std::uint32_t, 8> weights;
  if (!llvm::extractBranchWeights(choice, weights)) return nullptr;
  std::uint64_t there = 0, elsewhere = weights[0];
  for (const auto& one : choice.cases())
    (one.getCaseSuccessor() == &target ? there : elsewhere) += weights[one.getSuccessorIndex()];
  const unsigned shift = std::max(there, elsewhere) > UINT32_MAX ? 32 : 0;
  return llvm::MDBuilder(choice.getContext())
      .createBranchWeights(static_cast<std::uint32_t>(there >> shift), static_cast<std::uint32_t>(elsewhere >> shift));
}

bool compare(llvm::SwitchInst& choice) {
  // PrepareBarriersPass removes a default that is never taken.
  if (llvm::isa<llvm::UnreachableInst>(choice.getDefaultDest()->front())) return false;
  llvm::BasicBlock* target = otherWay(choice);
  if (!target) return false;
  const auto ranges = rangesTo(choice, *target);
  // Cases of all values have no end.
  if (ranges.size() > cost::mostComparedRanges || (ranges.front().first.isZero() && ranges.front().last.isAllOnes()))
    return false;
  llvm::BasicBlock *block = choice.getParent(), *rest = choice.getDefaultDest();
  llvm::IRBuilder<> builder(&choice);
  llvm::Value* condition = conditionOf(wholeValue(*choice.getCondition()), ranges, builder);
  builder.CreateCondBr(condition, target, rest, weightsOf(choice, *target));
  // One edge to either block remains.
  llvm::SmallVector<llvm::BasicBlock*, 8> gone(llvm::successors(&choice));
  for (llvm::BasicBlock* kept : {target, rest}) gone.erase(llvm::find(gone, kept));
  for (llvm::BasicBlock* successor : gone) successor->removePredecessor(block, /*KeepOneInputPHIs=*/true);
  llvm::Value* asked = choice.getCondition();
  choice.eraseFromParent();
  if (auto* cut = llvm::dyn_cast<llvm::TruncInst>(asked); cut && cut->use_empty()) cut->eraseFromParent();
  return true;
}

}  // namespace

llvm::PreservedAnalyses CompareCasesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::BasicBlock& block : function)
    if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator())) changed |= compare(*choice);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
