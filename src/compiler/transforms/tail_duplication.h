// SPDX-License-Identifier: Apache-2.0
// This file declares the duplication of the beginnings of blocks, so that indices become constants.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

namespace llvm {
class AllocaInst;
class DominatorTree;
class Function;
}  // namespace llvm

namespace clarity::compiler {

/// Duplicates the beginning of each block that accesses an array by an index that is made of the block's phis, whose
/// values are constants, into the edges that lead to it:
///
///   end:                                             from.0:  a[3] = key;  goto end
///     j = phi [3, from.0], [2, from.1], ...    =>    from.1:  a[2] = key;  goto end
///     a[j] = key;                                    ...
///
/// Loops that are left early and have been unrolled leave such blocks. Only arrays that `isWanted` names are looked at.
/// @return whether anything has changed
bool duplicateTails(llvm::Function& function, llvm::DominatorTree& dominators,
                    llvm::function_ref<bool(const llvm::AllocaInst&)> isWanted);

}  // namespace clarity::compiler
