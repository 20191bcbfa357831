// SPDX-License-Identifier: Apache-2.0
// This file finds loops whose indices are masked.
#include "compiler/workarounds/masked_indices.h"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

using namespace llvm::PatternMatch;

/// The lowest bits of something that changes in the loop. More bits than vectors are executed together are no ring.
bool isMasked(const llvm::Loop& loop, llvm::Instruction& instruction) {
  constexpr unsigned mostBits = 10;
  const llvm::APInt* mask = nullptr;
  llvm::Value* whole = nullptr;
  if (match(&instruction, m_And(m_Value(whole), m_APInt(mask))))
    return mask->isMask() && mask->getActiveBits() <= mostBits && !loop.isLoopInvariant(whole);
  if (match(&instruction, m_ZExt(m_Trunc(m_Value(whole)))))
    return instruction.getOperand(0)->getType()->getScalarSizeInBits() <= mostBits && !loop.isLoopInvariant(whole);
  return false;
}

/// Whether an address in the loop is computed from the value.
bool reachesAddress(const llvm::Loop& loop, llvm::Instruction& value) {
  llvm::SmallSetVector<llvm::Instruction*, 16> reached;
  reached.insert(&value);
  for (unsigned at = 0; at < reached.size(); ++at) {
    for (llvm::User* user : reached[at]->users()) {
      auto* const by = llvm::dyn_cast<llvm::Instruction>(user);
      if (!by || !loop.contains(by)) continue;
      if (llvm::isa<llvm::GetElementPtrInst>(by)) return true;
      if (llvm::isa<llvm::BinaryOperator, llvm::CastInst>(by)) reached.insert(by);
    }
  }
  return false;
}

}  // namespace

llvm::PreservedAnalyses MaskedIndicesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  for (llvm::Loop* const loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    const bool hasRing = std::ranges::any_of(loop->blocks(), [&](llvm::BasicBlock* block) {
      return std::ranges::any_of(
          *block, [&](llvm::Instruction& each) { return isMasked(*loop, each) && reachesAddress(*loop, each); });
    });
    if (hasRing) llvm::addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
