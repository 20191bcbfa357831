// SPDX-License-Identifier: Apache-2.0
// This file decides which work-items a thread executes.
#pragma once

#include "compiler/ir/compiled_program.h"
#include "compiler/ir/shape.h"
#include "compiler/nvptx/item_plan.h"

namespace llvm {
class Function;
}

namespace clarity::compiler::nvptx {

/// Which ways of executing several work-items are open: -cl-clarity-disable closes them by the names of their passes.
struct OpenWays {
  bool promotesLocalMemory = true;  ///< promote-local-memory: a warp executes a work-group
  bool countsInBlocks = true;       ///< count-in-blocks
  bool runsGroupsAsOne = true;      ///< interleave-groups
  bool sharesLocalMemory = true;    ///< share-local-memory
};

/// `plan-items`: decides of a kernel of kernel IR for one work-item how many of them a thread executes, and which, or
/// whether a warp executes a work-group. Says in remarks what was weighed and what was chosen. Does not change the
/// kernel. coarsenAsPlanned may still find an obstacle; a thread then executes one work-item.
///
/// Needs: sizes of the shape as constants (specialize-shape), one return (mergereturn), reducible loops
/// (fix-irreducible), name-local-accesses.
ItemPlan planItems(llvm::Function& kernel, const KernelInfo& info, const Shape& shape, const OpenWays& open);

/// Makes several work-items a thread's (coarsen.h), with code for one beside it where blocks may reach beyond the range
/// (partial_blocks.h). Where the final form of the kernel does not allow it after all, a thread executes one, and the
/// plan and a remark say so. False where that is not possible either.
///
/// Needs: define-phis, lower-switch, loop-simplify, lcssa.
bool coarsenAsPlanned(llvm::Function& kernel, ItemPlan& plan);

/// Has each warp keep a work-group's local memory in registers (local_registers.h), or a block of one warp execute it
/// with its local memory in memory, which the plan and a remark then say.
void promoteLocalMemoryAsPlanned(llvm::Function& kernel, ItemPlan& plan);

}  // namespace clarity::compiler::nvptx
