// SPDX-License-Identifier: Apache-2.0
// This file compares how the accesses of a kernel suit lanes along x and along y.
#include "compiler/packets/choose_dimension.h"

#include "compiler/analysis/wrapping.h"
#include "compiler/ir/primitives.h"
#include "compiler/packets/weighted_region.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {
namespace {

/// How well the accesses suit lanes along a dimension: weighted.
double suits(const llvm::Function& function, const VarianceInfo& variance, const llvm::LoopInfo& loops,
             unsigned dimension) {
  double sum = 0;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) {
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || !variance.of(*pointer).dims.has(dimension)) continue;
      const auto stride = variance.of(*pointer).stride[dimension];
      const auto bytes = static_cast<std::int64_t>(
          instruction.getDataLayout().getTypeAllocSize(llvm::getLoadStoreType(&instruction)).getFixedValue());
      const bool consecutive = stride && (distance(*stride) == bytes || *stride == 0);
      const bool strided = stride && distance(*stride) <= cost::mostShuffledStride * bytes;
      sum += WeightedRegion::weightAt(loops.getLoopDepth(&block)) * (consecutive ? cost::tile::suitsConsecutive
                                                                     : strided   ? cost::tile::suitsStrided
                                                                                 : cost::tile::suitsGather);
    }
  return sum;
}

}  // namespace

LaneDimension chooseDimension(const llvm::Function& function, const VarianceInfo& variance, const llvm::LoopInfo& loops,
                              const std::array<std::uint64_t, 3>& items) {
  const auto fits = [&](unsigned dimension) {
    return items[dimension] == 0 || items[dimension] >= cost::tile::leastItemsAlong;
  };
  if (!fits(1)) return {};
  if (!fits(0)) return {1, "lanes along y: too few work-items along x"};
  bool usesY = false;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) {
      const auto primitive = primitiveOf(instruction);
      if (primitive == Primitive::GlobalId || primitive == Primitive::LocalId)
        usesY |= variance.of(instruction).dims.has(1);
    }
  if (!usesY ||
      suits(function, variance, loops, 1) <= suits(function, variance, loops, 0) + cost::tile::leastGainAlongY)
    return {};
  return {1, "lanes along y: more accesses are consecutive along y than along x"};
}

}  // namespace clarity::compiler
