// SPDX-License-Identifier: Apache-2.0
// This file finds the operations that may wrap behind indices of addresses, and freezes their results.
#include "compiler/workarounds/wrapping_indices.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {
namespace {

/// Whether scalar evolution makes a sum or a product of an operation. Counters of loops are left to it, as other passes
/// need them.
bool isArithmetic(const llvm::Instruction& operation) {
  switch (operation.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
    case llvm::Instruction::Trunc: return true;
    default: return false;
  }
}

bool mayWrap(const llvm::Instruction& operation) {
  switch (operation.getOpcode()) {
    case llvm::Instruction::Xor: return true;  // of the sign: a sum
    case llvm::Instruction::Or: return !llvm::cast<llvm::PossiblyDisjointInst>(operation).isDisjoint();
    default: return !operation.hasNoSignedWrap();
  }
}

}  // namespace

llvm::PreservedAnalyses KeepWrappingIndicesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallSetVector<llvm::Instruction*, 32> behindIndices;
  const auto follow = [&](llvm::Value& value) {
    auto* operation = llvm::dyn_cast<llvm::Instruction>(&value);
    if (operation && isArithmetic(*operation)) behindIndices.insert(operation);
  };
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
      for (llvm::Value* index : address->indices())
        if (auto* extension = llvm::dyn_cast<llvm::SExtInst>(index)) follow(*extension->getOperand(0));
  llvm::SmallVector<llvm::Instruction*, 16> wrapping;
  for (unsigned at = 0; at < behindIndices.size(); ++at) {
    llvm::Instruction& operation = *behindIndices[at];
    if (mayWrap(operation))
      wrapping.push_back(&operation);  // and opaque from here on
    else
      for (llvm::Value* operand : operation.operands()) follow(*operand);
  }
  for (llvm::Instruction* operation : wrapping) {
    llvm::IRBuilder<> builder(operation->getNextNode());
    auto* frozen = llvm::cast<llvm::Instruction>(builder.CreateFreeze(operation));
    frozen->setName(operation->getName() + ".kept");
    operation->replaceUsesWithIf(frozen, [&](const llvm::Use& use) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      return user != frozen && (llvm::isa<llvm::SExtInst>(user) || behindIndices.contains(user));
    });
  }
  return wrapping.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
