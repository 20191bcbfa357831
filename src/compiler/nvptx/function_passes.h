// SPDX-License-Identifier: Apache-2.0
// This file runs passes so that the compile's limits hold between them, over modules and over single functions, and has
// the lists of passes that several steps use.
#pragma once

#include "compiler/ir/analysis_managers.h"

#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>

namespace llvm {
class TargetMachine;
}

namespace clarity::compiler::nvptx {

/// The analyses of a pass manager, and callbacks that check the compile's limits (limits.h) ahead of each pass.
class LimitedAnalyses {
public:
  /// `machine`: whose costs the passes ask for; null: those of no machine.
  explicit LimitedAnalyses(llvm::TargetMachine* machine = nullptr);
  LimitedAnalyses(const LimitedAnalyses&) = delete;
  LimitedAnalyses& operator=(const LimitedAnalyses&) = delete;

  llvm::ModuleAnalysisManager& modules() { return analyses_.modules; }
  llvm::FunctionAnalysisManager& functions() { return analyses_.functions; }
  llvm::PassBuilder& builder() { return builder_; }

private:
  llvm::PassInstrumentationCallbacks callbacks_;
  llvm::PassBuilder builder_;
  AnalysisManagers analyses_;
};

/// A function pass manager with what it needs. It keeps analyses from run to run: whoever changes the function in
/// between by other means makes another one.
class FunctionPasses {
public:
  void run(llvm::Function& function, llvm::FunctionPassManager passes) { passes.run(function, analyses_.functions()); }

private:
  LimitedAnalyses analyses_;
};

void addCombine(llvm::FunctionPassManager& passes);

/// To the form that coarsen() needs.
llvm::FunctionPassManager passesAheadOfCoarsening();

}  // namespace clarity::compiler::nvptx
