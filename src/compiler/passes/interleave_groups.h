// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that interleaves work-groups with barriers, so that they run in lock-step.
#pragma once

#include <llvm/IR/PassManager.h>

#include <cstdint>

namespace clarity::compiler {

/// `interleave-groups`: coarsens work-groups. After InterchangeLoopsPass each iteration of a work-group of 256
/// work-items reads a short range of consecutive memory, and the next iteration one far away. Neighbouring work-groups
/// read neighbouring ranges: if they execute each iteration together, hardware prefetchers see longer streams. So this
/// pass makes one work-group of several. The original work-groups have one dimension, x; their index among those that
/// are interleaved becomes the local id along y, and later passes see an ordinary work-group of two dimensions.
///
///   before:  %g = group_id(0)            after:  %i = local_id(1)
///            %m = local_memory()                 %g = add group_id(0), %i
///                                                %m = local_memory() + %i * local_bytes()
///
/// `global_id(0)` stays a query; its stride along y is the local size (variance.h). A barrier now synchronises all
/// interleaved work-groups. So the function is not changed if only some of them may reach a barrier, or if one may wait
/// for what another stores.
///
/// Needs: SpecializeShapePass, LowerLocalMemoryPass, InterchangeLoopsPass. Leaves the function attribute
/// "clarity-interleaved-groups": how many work-groups are interleaved at most. WorkerMemory::groups is the number in
/// one call.
struct InterleaveGroupsPass : llvm::PassInfoMixin<InterleaveGroupsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

/// The most work-groups that this pass would interleave; 1: none.
std::uint64_t groupsToInterleave(const llvm::Function& function);

/// Whether a value is computed from the id of the work-group: control flow that depends on it cannot be interleaved
/// around a barrier.
bool differsBetweenGroups(const llvm::Value& value);

/// Work-groups that become one: how many, and along which dimension their index becomes the local id: 1 (y), or 2 (z)
/// where the work-groups have two dimensions themselves.
struct InterleavedGroups {
  unsigned axis = 1;
  std::uint64_t count = 1;
};

/// Whether work-groups may become one, whatever they read.
bool canInterleaveAlong(llvm::Function& function, unsigned axis);

/// Does what the pass does, where it can be done. Leaves the same attribute.
void interleaveGroups(llvm::Function& function, const InterleavedGroups& groups);

}  // namespace clarity::compiler
