// SPDX-License-Identifier: Apache-2.0
// This file finds powers with small constant exponents.
#include "compiler/passes/expand_powers.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace clarity::compiler {
namespace {

bool isPower(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee && callee->isDeclaration() && call.arg_size() == 2 && call.getType()->isFPOrFPVectorTy() &&
         call.getArgOperand(0)->getType() == call.getType() &&
         (callee->getName().starts_with("_Z3pow") || callee->getName().starts_with("_Z4pown"));
}

/// The exponent in all lanes, if it is a small number; otherwise 0.
unsigned smallExponent(llvm::Value& exponent) {
  const llvm::APFloat* real = nullptr;
  const llvm::APInt* integer = nullptr;
  for (const unsigned small : {1u, 2u})
    if ((match(&exponent, llvm::PatternMatch::m_APFloat(real)) && real->isExactlyValue(small)) ||
        (match(&exponent, llvm::PatternMatch::m_APInt(integer)) && *integer == small))
      return small;
  return 0;
}

}  // namespace

llvm::PreservedAnalyses ExpandPowersPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const unsigned exponent = call && isPower(*call) ? smallExponent(*call->getArgOperand(1)) : 0;
    if (exponent == 0) continue;
    llvm::Value* const x = call->getArgOperand(0);
    llvm::IRBuilder<> builder(call);
    builder.setFastMathFlags(call->getFastMathFlags());
    call->replaceAllUsesWith(exponent == 1 ? x : builder.CreateFMul(x, x, call->getName()));
    call->eraseFromParent();
    changed = true;
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace clarity::compiler
