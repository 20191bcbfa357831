// SPDX-License-Identifier: Apache-2.0
// This file turns a kernel of kernel IR into a PTX kernel: parameters, local memory, ids and barriers.
#pragma once

#include "compiler/ir/compiled_program.h"
#include "compiler/ir/shape.h"
#include "compiler/nvptx/tile.h"

namespace llvm {
class Function;
}

namespace clarity::compiler::nvptx {

/// Rewrites `kernel`, whose module has PTX's address spaces already:
///
/// - its last parameter is a LaunchInfo (launch_abi.h); __local arguments become 64-bit offsets in dynamic shared
/// memory,
///   where the kernel's own __local variables come first, as KernelInfo::localBytes counts them;
/// - ids are those of the thread's first work-item (coarsen.h) and come from the special registers, sizes are constants
///   where the shape has them. Code for any size returns at once for threads behind the end of the NDRange;
/// - a barrier is bar.sync for the block, bar.warp.sync if that is one warp.
///
/// Returns the new function, which has the old one's name.
llvm::Function* lowerKernel(llvm::Function& kernel, const KernelInfo& info, const GlobalVariables& variables,
                            const Shape& shape, const Tile& tile);

}  // namespace clarity::compiler::nvptx
