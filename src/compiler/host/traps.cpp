// SPDX-License-Identifier: Apache-2.0
// This file replaces traps by calls of the runtime.
#include "compiler/host/traps.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

constexpr const char* hookName = "__clarity_trap";

bool isTrap(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return false;
  const llvm::Intrinsic::ID id = call->getIntrinsicID();
  return id == llvm::Intrinsic::trap || id == llvm::Intrinsic::debugtrap || id == llvm::Intrinsic::ubsantrap;
}

llvm::FunctionCallee hookOf(llvm::Module& module) {
  llvm::FunctionCallee hook = module.getOrInsertFunction(hookName, llvm::Type::getVoidTy(module.getContext()));
  auto& function = llvm::cast<llvm::Function>(*hook.getCallee());
  function.setDoesNotThrow();
  function.setOnlyAccessesInaccessibleMemory();
  function.addFnAttr(llvm::Attribute::Cold);
  return hook;
}

/// The block that control reaches when it does not come to this one; null when there is none, or its values depend on
/// where control comes from.
llvm::BasicBlock* wayAround(llvm::BasicBlock& block) {
  const llvm::BasicBlock* before = block.getSinglePredecessor();
  const auto* branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional()) return nullptr;
  llvm::BasicBlock* other = branch->getSuccessor(branch->getSuccessor(0) == &block ? 1 : 0);
  return other == &block || llvm::isa<llvm::PHINode>(other->front()) ? nullptr : other;
}

void leaveAfterTrap(llvm::UnreachableInst& unreachable) {
  llvm::BasicBlock& block = *unreachable.getParent();
  llvm::IRBuilder<> builder(&unreachable);
  if (llvm::BasicBlock* next = wayAround(block))
    builder.CreateBr(next);
  else if (llvm::Type* type = block.getParent()->getReturnType(); type->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(llvm::Constant::getNullValue(type));
  unreachable.eraseFromParent();
}

}  // namespace

void lowerTraps(llvm::Module& module) {
  llvm::SmallVector<llvm::Instruction*, 8> traps;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (isTrap(instruction)) traps.push_back(&instruction);
  if (traps.empty()) return;
  const llvm::FunctionCallee hook = hookOf(module);
  for (llvm::Instruction* trap : traps) {
    llvm::CallInst* call = llvm::IRBuilder<>(trap).CreateCall(hook);
    call->setDoesNotThrow();
    call->setDebugLoc(trap->getDebugLoc());
    if (auto* unreachable = llvm::dyn_cast<llvm::UnreachableInst>(trap->getNextNode())) leaveAfterTrap(*unreachable);
    trap->eraseFromParent();
  }
}

}  // namespace clarity::compiler
