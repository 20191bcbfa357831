// SPDX-License-Identifier: Apache-2.0
// This file replaces one query.
#include "compiler/passes/sub_group_size.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/collectives.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {

llvm::PreservedAnalyses SubGroupSizePass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const unsigned size = subGroupSizeOf(function);
  if (size == 0) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const auto asked = collectiveOf(instruction, subGroupPrefix);
    if (!asked || asked->kind != Collective::Kind::MaxSize) continue;
    instruction.replaceAllUsesWith(llvm::ConstantInt::get(instruction.getType(), size));
    instruction.eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
