// SPDX-License-Identifier: Apache-2.0
// This file makes the analyses that function passes need, and lists of passes.
#include "compiler/nvptx/function_passes.h"

#include "compiler/guard/limits.h"

#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

#include <optional>

namespace clarity::compiler::nvptx {

LimitedAnalyses::LimitedAnalyses(llvm::TargetMachine* machine)
    : builder_(machine, llvm::PipelineTuningOptions(), std::nullopt, &callbacks_) {
  callbacks_.registerBeforeNonSkippedPassCallback([](llvm::StringRef, const llvm::Any&) { checkLimits(); });
  analyses_.registerAnalyses(builder_);
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
