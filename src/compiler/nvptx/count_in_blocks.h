// SPDX-License-Identifier: Apache-2.0
// This file has blocks count in shared memory: histograms and sums.
#pragma once

#include "compiler/ir/compiled_program.h"
#include "compiler/nvptx/tile.h"

namespace llvm {
class Function;
}

namespace clarity::compiler::nvptx {

/// Which argument a kernel only counts in (analysis/reductions.h), if it is one alone, and the kernel may do so in
/// shared memory: it asks for global ids alone, and has no local memory of its own. Otherwise the number of arguments.
unsigned countedArgument(const llvm::Function& kernel, const KernelInfo& info);

/// Rewrites the kernel of a guarded tile (partial_blocks.h) so that a block executes one tile after the other, as many
/// blocks apart as there are, and counts in a copy in shared memory, which it adds to the argument's memory at its end.
/// The copy is where the kernel's local memory begins; LaunchInfo::localBytes are its bytes.
void countInBlocks(llvm::Function& kernel, unsigned argument, const Reduction& reduction, const Tile& tile);

}  // namespace clarity::compiler::nvptx
