// SPDX-License-Identifier: Apache-2.0
// This file makes lists of passes.
#include "compiler/nvptx/function_passes.h"

#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

namespace clarity::compiler::nvptx {

void runAgain(llvm::Function& function, llvm::FunctionPassManager passes, llvm::FunctionAnalysisManager& analyses) {
  analyses.clear(function, function.getName());
  passes.run(function, analyses);
  analyses.clear(function, function.getName());
}

void addCombine(llvm::FunctionPassManager& passes) {
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass(llvm::InstCombineOptions().setVerifyFixpoint(false)));
}

llvm::FunctionPassManager passesAheadOfCoarsening() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LowerSwitchPass());
  passes.addPass(llvm::FixIrreduciblePass());
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  return passes;
}

}  // namespace clarity::compiler::nvptx
