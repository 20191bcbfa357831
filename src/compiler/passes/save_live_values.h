// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that rematerialises or spills values that are live across barriers.
#pragma once

#include <llvm/IR/PassManager.h>

#include <cstdint>

namespace llvm {
class AllocaInst;
}

namespace clarity::compiler {

/// `save-live-values`: makes regions independent: afterwards no instruction uses an SSA value of another region, so
/// that each region can get its own loops over work-items.
///   Cheap values (ids, addresses, arithmetic on arguments) are rematerialised at the head of the region that uses
///   them. Other values are spilled: stored to an alloca where their region is left, loaded at the head of the other
///   region. The slot of a uniform value is marked (uniformSlotMetadata) and will exist once for the work-group; all
///   other slots are in the barrier spill area, once for each work-item. Phis at heads of regions are demoted to slots
///   that the predecessors store to.
/// Needs: PrepareBarriersPass. Leaves: heads of regions marked (regionHeadMetadata), without phis.
struct SaveLiveValuesPass : llvm::PassInfoMixin<SaveLiveValuesPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

/// Leaves a remark about a slot that takes `bytes` of the barrier spill area for every work-item. Called by the pass
/// that lays out the area, as the size is known there.
void remarkSpill(llvm::AllocaInst& slot, std::uint64_t bytes);

}  // namespace clarity::compiler
