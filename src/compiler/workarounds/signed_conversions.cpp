// SPDX-License-Identifier: Apache-2.0
// This file replaces `uitofp nneg` by `sitofp`.
#include "compiler/workarounds/signed_conversions.h"

#include "compiler/transforms/preserved.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {

llvm::PreservedAnalyses SignedConversionsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* conversion = llvm::dyn_cast<llvm::UIToFPInst>(&instruction);
    if (!conversion || !conversion->hasNonNeg()) continue;
    llvm::IRBuilder<> builder(conversion);
    llvm::Value* converted = builder.CreateSIToFP(conversion->getOperand(0), conversion->getType());
    converted->takeName(conversion);
    conversion->replaceAllUsesWith(converted);
    conversion->eraseFromParent();
    changed = true;
  }
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
