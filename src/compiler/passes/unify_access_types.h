// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that gives the members of structures one type.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `unify-access-types`: packets access the members of a structure together, as whole vectors that are shuffled, where
/// these have one type (packets/access_groups.h). Floats beside integers of the same size are accessed as integers.
///
///   before:  %x = load float, ptr %p        %id = load i32, ptr (%p + 4)
///   after:   %bits = load i32, ptr %p       %id = load i32, ptr (%p + 4)
///            %x = bitcast i32 %bits to float
///
/// No pass between this and PacketsPass may combine the casts with the accesses.
struct UnifyAccessTypesPass : llvm::PassInfoMixin<UnifyAccessTypesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
