// SPDX-License-Identifier: Apache-2.0
// This file replaces undefined values of phis.
#include "compiler/nvptx/define_phis.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler::nvptx {

llvm::PreservedAnalyses DefinePhisPass::run(llvm::Function& kernel, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::BasicBlock& block : kernel)
    for (llvm::PHINode& phi : block.phis())
      for (llvm::Use& incoming : phi.incoming_values())
        if (llvm::isa<llvm::UndefValue>(incoming)) {
          incoming.set(llvm::Constant::getNullValue(phi.getType()));
          changed = true;
        }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler::nvptx
