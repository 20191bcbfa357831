// SPDX-License-Identifier: Apache-2.0
// This file rewrites llvm.fmuladd, and sets and clears flags of divisions.
#include "compiler/workarounds/lower_fmuladd.h"

#include "compiler/transforms/open_bits.h"
#include "compiler/transforms/preserved.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace clarity::compiler {
namespace {

bool isHalf(const llvm::Instruction& instruction) { return instruction.getType()->getScalarType()->isHalfTy(); }

void lowerFmuladd(llvm::IntrinsicInst& open, bool fused) {
  llvm::IRBuilder<> builder(&open);
  builder.setFastMathFlags(open.getFastMathFlags());
  llvm::Value *a = open.getArgOperand(0), *b = open.getArgOperand(1), *c = open.getArgOperand(2);
  llvm::Value* lowered = fused ? builder.CreateIntrinsic(llvm::Intrinsic::fma, {open.getType()}, {a, b, c})
                               : builder.CreateFAdd(builder.CreateFMul(a, b), c);
  lowered->takeName(&open);
  open.replaceAllUsesWith(lowered);
  open.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses LowerFmuladdPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (instruction.getOpcode() == llvm::Instruction::FDiv && (!fusesFloat || isHalf(instruction))) {
      instruction.setHasAllowReciprocal(false);
      changed = true;
    }
    if (instruction.getOpcode() == llvm::Instruction::FDiv && instruction.getType()->getScalarType()->isFloatTy()) {
      instruction.setHasApproxFunc(isOpenDivision(instruction));
      changed = true;
    }
    auto* open = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!open || open->getIntrinsicID() != llvm::Intrinsic::fmuladd) continue;
    lowerFmuladd(*open, isHalf(*open) ? fusesHalf : fusesFloat);
    changed = true;
  }
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
