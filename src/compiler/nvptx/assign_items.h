// SPDX-License-Identifier: Apache-2.0
// This file assigns work-items to threads.
#pragma once

#include "compiler/ir/compiled_program.h"
#include "compiler/ir/shape.h"
#include "compiler/nvptx/tile.h"

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// Rewrites a kernel of kernel IR for one work-item so that a thread executes as many as pays, or a warp a work-group,
/// and says so in a remark. Returns which.
///
/// Needs: sizes of the shape as constants (specialize-shape), one return (mergereturn), name-local-accesses.
Tile assignItems(llvm::Function& kernel, const KernelInfo& info, const Shape& shape,
                 llvm::FunctionAnalysisManager& analyses);

}  // namespace clarity::compiler::nvptx
