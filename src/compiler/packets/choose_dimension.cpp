// SPDX-License-Identifier: Apache-2.0
// This file compares how the accesses of a kernel suit lanes along x and along y.
#include "compiler/packets/choose_dimension.h"

#include "compiler/analysis/border_choice.h"
#include "compiler/analysis/tile_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/packets/core_machine.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {

namespace {

/// Whether the borders of the range matter to values: neighbours are clamped, windows clipped.
bool hasBorders(const llvm::Function& function, const VarianceInfo& variance) {
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    return awayFromBorders(instruction, variance).has_value();
  });
}

bool suitsLanesAlongY(const llvm::Function& function, const VarianceInfo& variance, const llvm::LoopInfo& loops,
                      unsigned vectorBits) {
  TileModel model(coreMachine({.bits = vectorBits}, vectorBits / 32), {.variance = variance, .loops = loops});
  for (const llvm::BasicBlock& block : function) model.add(block, [](const llvm::Instruction&) { return true; });
  return model.demand().suitsLanesAlongY();
}

}  // namespace

LaneDimension chooseDimension(llvm::Function& function, const VarianceInfo& variance, const llvm::LoopInfo& loops,
                              const std::array<std::uint64_t, 3>& items, unsigned vectorBits) {
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
  if (!usesY) return {};
  if (!suitsLanesAlongY(function, variance, loops, vectorBits)) return {};
  // Most work-items will run code without borders, whose accesses are those of the ids themselves.
  if (hasBorders(function, variance) &&
      !suitsLanesAlongY(function, VarianceInfo::inInterior(function), loops, vectorBits))
    return {};
  return {1, "lanes along y: more accesses are consecutive along y than along x"};
}

}  // namespace clarity::compiler
