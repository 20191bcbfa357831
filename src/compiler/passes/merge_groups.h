// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that merges work-groups, so that one nest of loops covers several of them.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `merge-groups`: collapses the loops over work-groups and over work-items into one nest. A kernel without barriers
/// and local memory observes its work-group only through group and local ids. This pass computes these from global ids.
/// Then neighbouring work-groups are one box of work-items, in which packets are full and their accesses consecutive,
/// whatever the work-group size.
///
///   before:  %l = local_id(0)       after:  %n = sub nuw nsw i64 global_id(0), global_offset(0)
///            %g = group_id(0)               %l = urem i64 %n, 5
///                                           %g = udiv i64 %n, 5
///
/// `group_id(0) * 5 + local_id(0)` becomes the global id without its offset. The work-groups are not merged if, after
/// that, an address or a branch still depends on a local or group id along x: computed by a division, it would turn
/// accesses into gathers and make branches divergent, which costs more than full packets gain. Needs:
/// SpecializeShapePass, LowerLocalMemoryPass. Leaves the function attribute "clarity-merged-groups".
struct MergeGroupsPass : llvm::PassInfoMixin<MergeGroupsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
