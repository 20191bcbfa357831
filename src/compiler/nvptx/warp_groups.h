// SPDX-License-Identifier: Apache-2.0
// This file has warps execute work-groups with barriers, one each.
#pragma once

#include "compiler/nvptx/tile.h"

#include <llvm/IR/PassManager.h>

#include <string>

namespace clarity::compiler {
struct Shape;
}

namespace clarity::compiler::nvptx {

/// How many work-items a thread has if a warp executes a work-group of this shape; 0: it need not, or cannot for the
/// reason in `why`.
unsigned itemsOfWarpsThread(llvm::Function& kernel, const Shape& shape, std::string& why);

/// Brings a kernel of kernel IR into the form in which thread t of a warp executes the work-items t, t + 32, ... of a
/// work-group whose local memory lies in registers (local_registers.h). False with the reason in `why`, and the kernel
/// changed, where that is not possible.
/// @param items of a thread, from itemsOfWarpsThread
bool assignGroupsToWarps(llvm::Function& kernel, unsigned items, llvm::FunctionAnalysisManager& analyses,
                         std::string& why);

/// The tile that a block then executes.
Tile tileOfWarps(unsigned items);

}  // namespace clarity::compiler::nvptx
