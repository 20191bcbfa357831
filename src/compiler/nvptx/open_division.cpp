// SPDX-License-Identifier: Apache-2.0
// This file replaces divisions whose last bits are open.
#include "compiler/nvptx/open_division.h"

#include "compiler/transforms/open_bits.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

namespace clarity::compiler::nvptx {
namespace {

llvm::Value* divide(llvm::IRBuilder<>& builder, llvm::Value* dividend, llvm::Value* divisor) {
  return builder.CreateIntrinsic(builder.getFloatTy(), llvm::Intrinsic::nvvm_div_full, {dividend, divisor});
}

/// The operand of the root in 1 / sqrt(x); null for other divisions.
llvm::Value* underRoot(const llvm::Instruction& division) {
  using namespace llvm::PatternMatch;
  llvm::Value* value = nullptr;
  return match(&division, m_FDiv(m_FPOne(), m_Intrinsic<llvm::Intrinsic::sqrt>(m_Value(value)))) ? value : nullptr;
}

llvm::Value* reciprocalRoot(llvm::IRBuilder<>& builder, llvm::Value* value) {
  return builder.CreateIntrinsic(builder.getFloatTy(), llvm::Intrinsic::nvvm_rsqrt_approx_f, {value});
}

/// The form of one division, lane by lane.
llvm::Value* inOpenForm(llvm::IRBuilder<>& builder, llvm::Value* dividend, llvm::Value* divisor, llvm::Value* root) {
  return root ? reciprocalRoot(builder, root) : divide(builder, dividend, divisor);
}

/// The square root of `root`, whose bound is 3 ulp.
void openRoot(llvm::IntrinsicInst& root) {
  llvm::IRBuilder<> builder(&root);
  llvm::Value* result = llvm::PoisonValue::get(root.getType());
  const auto rootOf = [&](llvm::Value* value) {
    return builder.CreateIntrinsic(builder.getFloatTy(), llvm::Intrinsic::nvvm_sqrt_approx_f, {value});
  };
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(root.getType()))
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = builder.CreateInsertElement(result, rootOf(builder.CreateExtractElement(root.getArgOperand(0), i)), i);
  else
    result = rootOf(root.getArgOperand(0));
  root.replaceAllUsesWith(result);
  root.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses OpenDivisionsPass::run(llvm::Function& kernel, llvm::FunctionAnalysisManager&) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    if (instruction.getOpcode() != llvm::Instruction::FDiv || !instruction.getType()->getScalarType()->isFloatTy())
      continue;
    llvm::Value* root = underRoot(instruction);
    // lower-fmuladd has noted the bound in the flag, too, which stays where the metadata goes.
    const bool isOpen = isOpenDivision(instruction) || instruction.hasApproxFunc();
    if (!isOpen && (exact || !root)) continue;
    llvm::IRBuilder<> builder(&instruction);
    llvm::Value *dividend = instruction.getOperand(0), *divisor = instruction.getOperand(1), *quotient = nullptr;
    if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType())) {
      quotient = llvm::PoisonValue::get(instruction.getType());
      for (unsigned i = 0; i < vector->getNumElements(); ++i)
        quotient = builder.CreateInsertElement(
            quotient,
            inOpenForm(builder, builder.CreateExtractElement(dividend, i), builder.CreateExtractElement(divisor, i),
                       root ? builder.CreateExtractElement(root, i) : nullptr),
            i);
    } else {
      quotient = inOpenForm(builder, dividend, divisor, root);
    }
    instruction.replaceAllUsesWith(quotient);
    instruction.eraseFromParent();
  }
  if (exact) return llvm::PreservedAnalyses::none();
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(kernel)))
    if (auto* root = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        root && root->getIntrinsicID() == llvm::Intrinsic::sqrt && root->getType()->getScalarType()->isFloatTy())
      openRoot(*root);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler::nvptx
