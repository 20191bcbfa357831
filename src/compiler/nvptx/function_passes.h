// SPDX-License-Identifier: Apache-2.0
// This file runs passes over single functions, and has the lists of them that several steps use.
#pragma once

#include "compiler/analysis_managers.h"

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// A function pass manager with what it needs. It keeps analyses from run to run: whoever changes the function in
/// between by other means makes another one.
class FunctionPasses {
public:
  FunctionPasses();
  void run(llvm::Function& function, llvm::FunctionPassManager passes) { passes.run(function, analyses_.functions); }

private:
  AnalysisManagers analyses_;
};

void addCombine(llvm::FunctionPassManager& passes);

/// To the form that coarsen() needs.
llvm::FunctionPassManager passesAheadOfCoarsening();

}  // namespace clarity::compiler::nvptx
