// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that stores behind a branch what both sides of it store.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `join-stores`: where several ways into a block end with a store to one place, the block stores instead. Each side of
/// a divergent branch is masked, and bytes are stored element by element there; behind the branch all work-items store,
/// or as many as came. The rest of the sides often becomes a selection.
///
///   before:  then: store %a, %p; br end          after:  join: %s = phi [ %a, then ], [ %b, else ]
///            else: store %b, %p; br end                        store %s, %p; br end
///            end:
///
/// LLVM's own passes that sink stores either sink all else too, loads from different places among it, which become
/// gathers, or know two ways only.
struct JoinStoresPass : llvm::PassInfoMixin<JoinStoresPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
