// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that takes work-groups with barriers through memory together.
#pragma once

#include <llvm/IR/PassManager.h>

#include <cstdint>

namespace clarity::compiler {

/// `interleave-groups`: a work-group of 256 that steps through memory together with all others (InterchangeLoopsPass)
/// reads a short piece here and there, turn by turn. Groups side by side read longer pieces if they take every turn
/// together. As none of them waits for another, this pass makes one work-group of several: the dimension y, which they
/// do not use, counts them, so that `interleave-groups` is all that the other passes have to know.
///
///   before:  %g = group_id(0)            after:  %i = local_id(1)
///            %m = local_memory()                 %g = add group_id(0), %i
///                                                %m = local_memory() + %i * local_bytes()
///
/// `global_id(0)` stays and grows by the local size from one group of the bundle to the next (variance.h). Barriers are
/// the bundle's: the pass leaves a function alone where groups may disagree on whether they come to one, and where a
/// group waits for what another one stores.
///
/// Needs: SpecializeShapePass, LowerLocalMemoryPass, InterchangeLoopsPass. Leaves the function attribute
/// "clarity-interleaved-groups" with the most groups that run together; how many there are WorkerMemory::groups says.
struct InterleaveGroupsPass : llvm::PassInfoMixin<InterleaveGroupsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

/// How many work-groups at most this pass would take together; 1: it can not.
std::uint64_t groupsToInterleave(const llvm::Function& function);

}  // namespace clarity::compiler
