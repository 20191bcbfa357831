// SPDX-License-Identifier: Apache-2.0
// This file is what checked code (Instrumentation::Check) does beside executing regions: it reports each region that
// begins, and has the work-items' next regions compared where they are chosen one by one.
#pragma once

#include "compiler/transforms/group_code.h"
#include "compiler/transforms/region_nests.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace clarity::compiler {

class BarrierRegions;

class BarrierChecks {
public:
  /// While the regions' barriers are still there.
  BarrierChecks(GroupCode& group, const BarrierRegions& regions);

  /// Ahead of each region's loops, once these exist.
  void reportRegions(RegionNests& nests);
  /// The region that runs next, of those that work-items wait for. `row`: the next region of each, i32. Null in other
  /// code.
  llvm::Value* chooseNext(llvm::IRBuilder<>& builder, llvm::Value* row, llvm::Value* items);

private:
  /// In place of sites (support/observer_hooks.h).
  static constexpr std::uint32_t kernelBegins = ~0u, noBarrier = ~0u - 1;
  struct Start {
    std::uint32_t site = noBarrier;  ///< the barrier ahead of the region
    std::uint32_t flags = 0;         ///< that barrier's cl_mem_fence_flags
  };
  llvm::CallInst* callHook(llvm::IRBuilder<>& builder, const char* name, llvm::Type* type,
                           llvm::ArrayRef<llvm::Value*> values);

  GroupCode& group_;
  llvm::SmallVector<Start, 8> starts_;  ///< by region; empty in code that is not checked
};

}  // namespace clarity::compiler
