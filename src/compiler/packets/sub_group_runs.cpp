// SPDX-License-Identifier: Apache-2.0
// This file writes and recognises the calls around runs.
#include "compiler/packets/sub_group_runs.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

constexpr char endOfRun[] = "__clarity_end_run";

}  // namespace

llvm::FunctionCallee runtimeHook(llvm::Module& module, llvm::StringRef name, llvm::ArrayRef<llvm::Type*> parameters) {
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), parameters, false);
  llvm::FunctionCallee callee = module.getOrInsertFunction(name, type);
  llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
  return callee;
}

void markBeginOfRun(llvm::BasicBlock& block) {
  llvm::IRBuilder<>(&block).CreateCall(runtimeHook(*block.getModule(), beginOfRun));
}

void markEndOfRun(llvm::BasicBlock& block) {
  llvm::IRBuilder<>(&block).CreateCall(runtimeHook(*block.getModule(), endOfRun));
}

void finishRuns(llvm::BasicBlock& afterNest) {
  llvm::IRBuilder<> builder(&afterNest, afterNest.getFirstInsertionPt());
  builder.CreateCall(runtimeHook(*afterNest.getModule(), "__clarity_finish_sub_groups"));
}

bool isEndOfRun(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == endOfRun;
}

llvm::FunctionCallee pauseOfSubGroup(llvm::Module& module) {
  return runtimeHook(module, "__clarity_let_sub_groups_run");
}

}  // namespace clarity::compiler
