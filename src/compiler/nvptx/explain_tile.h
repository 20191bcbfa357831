// SPDX-License-Identifier: Apache-2.0
// This file declares the remarks on memory that work-items share.
#pragma once

#include "compiler/nvptx/tile.h"

namespace llvm {
class Function;
}

namespace clarity::compiler {
class VarianceInfo;
}

namespace clarity::compiler::nvptx {

/// Remarks, for each access to memory that work-items share: how many of a thread's work-items a load serves, and how
/// the addresses of a warp lie.
/// @param kernel of kernel IR for one work-item, of which a thread executes those of `tile`
void explainTile(const llvm::Function& kernel, const Tile& tile, const VarianceInfo& variance);

}  // namespace clarity::compiler::nvptx
