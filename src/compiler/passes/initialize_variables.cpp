// SPDX-License-Identifier: Apache-2.0
// This file sets private variables to zero.
#include "compiler/passes/initialize_variables.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <utility>

namespace clarity::compiler {
namespace {

/// The instructions behind which the content of a variable is undefined: the beginnings of its lives or, if none are
/// marked, the one that makes it.
llvm::SmallVector<llvm::Instruction*, 2> beginnings(llvm::AllocaInst& variable) {
  llvm::SmallVector<llvm::Instruction*, 2> result;
  for (llvm::User* user : variable.users())
    if (auto* start = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        start && start->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
      result.push_back(start->getNextNode());
  if (!result.empty()) return result;
  // Behind the other variables of the entry block, which passes look for at its beginning.
  llvm::BasicBlock& block = *variable.getParent();
  const auto behindVariables = block.getFirstNonPHIOrDbgOrAlloca();
  const bool isAhead =
      block.isEntryBlock() && behindVariables != block.end() && variable.comesBefore(&*behindVariables);
  result.push_back(isAhead ? &*behindVariables : variable.getNextNode());
  return result;
}

void setToZero(llvm::AllocaInst& variable, llvm::Instruction* at) {
  llvm::IRBuilder<> builder(at);
  builder.SetCurrentDebugLocation(variable.getDebugLoc());
  llvm::Type* const type = variable.getAllocatedType();
  if (type->isSingleValueType() && !variable.isArrayAllocation()) {
    builder.CreateAlignedStore(llvm::Constant::getNullValue(type), &variable, variable.getAlign());
    return;
  }
  llvm::Value* bytes = builder.getInt64(variable.getDataLayout().getTypeAllocSize(type).getFixedValue());
  if (variable.isArrayAllocation())
    bytes = builder.CreateMul(bytes, builder.CreateZExtOrTrunc(variable.getArraySize(), builder.getInt64Ty()));
  builder.CreateMemSet(&variable, builder.getInt8(0), bytes, variable.getAlign());
}

}  // namespace

llvm::PreservedAnalyses InitializeVariablesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!wanted) return llvm::PreservedAnalyses::all();
  llvm::SmallVector<std::pair<llvm::AllocaInst*, llvm::Instruction*>, 16> places;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      for (llvm::Instruction* at : beginnings(*variable)) places.emplace_back(variable, at);
  for (const auto& [variable, at] : places) setToZero(*variable, at);
  return places.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
