// SPDX-License-Identifier: Apache-2.0
// This file deletes what a pass has inserted and does not need after all.
#pragma once

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

namespace clarity::compiler {

/// Deletes instructions without users, given in the order in which they were inserted: operands first. Others are never
/// deleted, so that a pass which gives up leaves the function as it was, as it tells the pass manager.
inline void deleteUnused(llvm::ArrayRef<llvm::WeakTrackingVH> created) {
  for (const llvm::WeakTrackingVH& each : llvm::reverse(created))
    if (auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(each))
      if (llvm::isInstructionTriviallyDead(instruction)) instruction->eraseFromParent();
}

}  // namespace clarity::compiler
