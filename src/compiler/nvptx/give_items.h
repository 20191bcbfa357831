// SPDX-License-Identifier: Apache-2.0
// This file orders the steps by which a thread gets several work-items.
#pragma once

#include "compiler/ir/backend.h"
#include "compiler/nvptx/tile.h"

namespace llvm {
class Function;
}

namespace clarity::compiler::nvptx {

/// Rewrites a kernel of kernel IR for the tile that suits it and the shape, and tells the report. Without work-items to
/// give (Shape::cells is 1) it stays as it is.
Tile giveItems(llvm::Function& kernel, const KernelToGenerate& work);

}  // namespace clarity::compiler::nvptx
