// SPDX-License-Identifier: Apache-2.0
// This file has warps execute work-groups with barriers, one each.
#pragma once

#include "compiler/nvptx/tile.h"

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {
struct Shape;
}

namespace clarity::compiler::nvptx {

/// How many work-items a thread has if a warp executes a work-group of this shape; 0: it need not, or cannot.
unsigned itemsOfWarpsThread(llvm::Function& kernel, const Shape& shape);

/// `fold-lanes`: local ids of a kernel of which each warp executes a work-group are less than 32, and conditions with
/// one outcome for all of them become it:
///
///   before:  %id = local_id(0);  %c = icmp ult i64 %id, 64        after:  %c = true
struct FoldLanesPass : llvm::PassInfoMixin<FoldLanesPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

/// The tile that a block then executes.
Tile tileOfWarps(unsigned items);

}  // namespace clarity::compiler::nvptx
