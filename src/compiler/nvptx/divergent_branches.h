// SPDX-License-Identifier: Apache-2.0
// This file finds branches at which the threads of a warp diverge, and blocks whose instructions they execute together.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class BasicBlock;
}

namespace clarity::compiler::nvptx {

using Blocks = llvm::SmallPtrSet<llvm::BasicBlock*, 16>;

/// The blocks with a barrier, or another instruction for several threads.
Blocks blocksForSeveralThreads(llvm::Function& function);

/// Whether `holds` for a divergent branch and the block where its threads reconverge; null: they do so nowhere.
bool anyDivergentBranch(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
                        llvm::function_ref<bool(llvm::BasicBlock& branch, llvm::BasicBlock* meeting)> holds);

}  // namespace clarity::compiler::nvptx
