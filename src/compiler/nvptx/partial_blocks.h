// SPDX-License-Identifier: Apache-2.0
// This file lets blocks of several work-items a thread reach beyond the range of a launch.
#pragma once

#include "compiler/nvptx/tile.h"

namespace llvm {
class Function;
}

namespace clarity::compiler::nvptx {

/// Whether a kernel asks for no more about a work-item than its global ids, and has a return.
bool canGuardPartialBlocks(const llvm::Function& kernel);

/// Makes `kernel`, which executes a merged `tile` a thread, right for threads some of whose work-items are beyond the
/// range: such a thread executes those that are not, one after the other, by the code of `asWritten`, the same kernel
/// for one work-item. Takes the body of `asWritten`.
void guardPartialBlocks(llvm::Function& kernel, llvm::Function& asWritten, const Tile& tile);

/// The same where a thread executes one work-item: one that is beyond the range does nothing.
void guardWorkItems(llvm::Function& kernel, const Tile& tile);

}  // namespace clarity::compiler::nvptx
