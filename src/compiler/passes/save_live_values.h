// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that carries values across barriers.
#pragma once

#include <llvm/IR/PassManager.h>

#include <cstdint>

namespace llvm {
class AllocaInst;
}

namespace clarity::compiler {

/// Makes every region stand alone: no instruction uses a value that another region computed.
///   cheap ones (ids, addresses, arithmetic on arguments) are computed again at the head of the region that needs them;
///   others go through memory: an alloca, stored behind the definition, loaded at the region's head. The slot of a
///   uniform value is marked and will exist once for the work-group, all others once for each work-item.
/// Phis at the heads of regions become slots that the predecessors store to.
/// Needs: PrepareBarriersPass. Leaves: heads of regions marked (regionHeadMetadata), without phis.
struct SaveLiveValuesPass : llvm::PassInfoMixin<SaveLiveValuesPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

/// Leaves a remark about a private variable that takes `bytes` of the barrier spill area for every
/// work-item; for when its size is known.
void remarkKept(llvm::AllocaInst& slot, std::uint64_t bytes);

}  // namespace clarity::compiler
