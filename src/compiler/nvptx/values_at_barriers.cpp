// SPDX-License-Identifier: Apache-2.0
// This file computes which values are live at barriers.
#include "compiler/nvptx/values_at_barriers.h"

#include "compiler/analysis/variance.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <cstdint>

namespace clarity::compiler::nvptx {
namespace {

using Values = llvm::DenseSet<const llvm::Instruction*>;

constexpr unsigned registerBytes = 4;

bool isMeeting(const llvm::Instruction& instruction) {
  const auto primitive = primitiveOf(instruction);
  return primitive == Primitive::Barrier || primitive == Primitive::WorkGroupCollective;
}

class Liveness {
public:
  Liveness(const llvm::Function& kernel, const VarianceInfo& variance) : kernel_(kernel), variance_(variance) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::BasicBlock* block : llvm::post_order(&kernel_)) {
        Values live = behind(*block);
        for (const llvm::Instruction& instruction : llvm::reverse(*block)) step(instruction, live);
        Values& before = ahead_[block];
        changed |= live.size() != before.size();
        before = std::move(live);
      }
    }
  }

  unsigned mostAtBarriers() const {
    unsigned most = 0;
    for (const llvm::BasicBlock& block : kernel_) {
      if (llvm::none_of(block, isMeeting)) continue;
      Values live = behind(block);
      for (const llvm::Instruction& instruction : llvm::reverse(block)) {
        step(instruction, live);
        if (isMeeting(instruction)) most = std::max(most, registersOf(live));
      }
    }
    return most;
  }

private:
  /// The values that are live at the end of a block.
  Values behind(const llvm::BasicBlock& block) const {
    Values live;
    for (const llvm::BasicBlock* next : llvm::successors(&block)) {
      if (const auto found = ahead_.find(next); found != ahead_.end()) live.insert_range(found->second);
      for (const llvm::PHINode& phi : next->phis()) add(phi.getIncomingValueForBlock(&block), live);
    }
    return live;
  }
  /// From behind an instruction to ahead of it.
  void step(const llvm::Instruction& instruction, Values& live) const {
    live.erase(&instruction);
    if (llvm::isa<llvm::PHINode>(instruction)) return;
    for (const llvm::Value* operand : instruction.operand_values()) add(operand, live);
  }
  void add(const llvm::Value* value, Values& live) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction && !llvm::isa<llvm::AllocaInst>(instruction) && !variance_.uniform(*instruction))
      live.insert(instruction);
  }
  unsigned registersOf(const Values& values) const {
    std::uint64_t registers = 0;
    for (const llvm::Instruction* value : values)
      registers += llvm::divideCeil(kernel_.getDataLayout().getTypeStoreSize(value->getType()).getFixedValue(),
                                    std::uint64_t{registerBytes});
    return static_cast<unsigned>(registers);
  }

  const llvm::Function& kernel_;
  const VarianceInfo& variance_;
  llvm::DenseMap<const llvm::BasicBlock*, Values> ahead_;
};

unsigned registersOfVariables(const llvm::Function& kernel) {
  std::uint64_t registers = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(kernel))
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (const auto size = variable->getAllocationSize(kernel.getDataLayout()))
        registers += size->getFixedValue() / registerBytes;
  return static_cast<unsigned>(std::min<std::uint64_t>(registers, 1 << 16));
}

}  // namespace

unsigned registersAtBarriers(llvm::Function& kernel) {
  const VarianceInfo variance(kernel);
  return Liveness(kernel, variance).mostAtBarriers() + registersOfVariables(kernel);
}

}  // namespace clarity::compiler::nvptx
