// SPDX-License-Identifier: Apache-2.0
// This file makes branches of expectations.
#include "compiler/passes/lower_bounds_checks.h"

#include "compiler/ir/primitives.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

llvm::BasicBlock* makeExit(llvm::Function& function) {
  llvm::LLVMContext& context = function.getContext();
  llvm::FunctionCallee hook =
      function.getParent()->getOrInsertFunction("__clarity_leave_slice", llvm::Type::getVoidTy(context));
  auto* const declared = llvm::cast<llvm::Function>(hook.getCallee());
  declared->setDoesNotThrow();
  declared->setDoesNotReturn();
  declared->addFnAttr(llvm::Attribute::Cold);
  llvm::BasicBlock* const exit = llvm::BasicBlock::Create(context, "outside", &function);
  llvm::IRBuilder<> builder(exit);
  builder.CreateCall(hook);
  builder.CreateUnreachable();
  return exit;
}

}  // namespace

llvm::PreservedAnalyses LowerBoundsChecksPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::CallInst*, 16> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (primitiveOf(instruction) == Primitive::ExpectBelow) calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  if (calls.empty()) return llvm::PreservedAnalyses::all();
  llvm::BasicBlock* exit = nullptr;
  llvm::MDNode* const weights = llvm::MDBuilder(function.getContext()).createLikelyBranchWeights();
  for (llvm::CallInst* call : calls) {
    llvm::IRBuilder<> builder(call);
    llvm::Value* const isBelow = builder.CreateICmpULT(call->getArgOperand(0), call->getArgOperand(1));
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(isBelow); !constant || !constant->isOne()) {
      if (!exit) exit = makeExit(function);
      llvm::BasicBlock* const block = call->getParent();
      llvm::BasicBlock* const on = block->splitBasicBlock(call);
      block->getTerminator()->eraseFromParent();
      llvm::BranchInst::Create(on, exit, isBelow, block)->setMetadata(llvm::LLVMContext::MD_prof, weights);
    }
    call->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
