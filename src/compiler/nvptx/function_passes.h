// SPDX-License-Identifier: Apache-2.0
// This file has the lists of passes that several ways of coarsening use.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// Runs passes over a function that was changed since its analyses were made.
void runAgain(llvm::Function& function, llvm::FunctionPassManager passes, llvm::FunctionAnalysisManager& analyses);

void addCombine(llvm::FunctionPassManager& passes);

/// To the form that coarsen() needs.
llvm::FunctionPassManager passesAheadOfCoarsening();

}  // namespace clarity::compiler::nvptx
