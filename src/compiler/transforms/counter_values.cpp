// SPDX-License-Identifier: Apache-2.0
// This file copies arithmetic of a nest to ahead of it.
#include "compiler/analysis/affine.h"
#include "compiler/ir/cost_model.h"
#include "compiler/transforms/guard_bounds.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {

llvm::Value* CounterValues::first(llvm::Value& value, Dimensions dimensions) {
  return frozen(copy(value, {dimensions}, 0));
}

llvm::Value* CounterValues::at(llvm::Value& value, unsigned dimension, std::uint64_t counter) {
  return frozen(copy(value, {Dimensions::only(dimension), counter, /*keepFlags=*/false}, 0));
}

llvm::Value* CounterValues::frozen(llvm::Value* copy) {
  if (copy && llvm::isa<llvm::UndefValue>(copy)) return nullptr;
  return copy && !llvm::isa<llvm::Constant>(copy) ? builder_.CreateFreeze(copy) : copy;
}

llvm::Value* CounterValues::copy(llvm::Value& value, const Choice& choice, unsigned depth) {
  for (unsigned d = 0; d < 3; ++d)
    if (choice.dimensions.has(d) && &value == nest_.counter[d])
      return llvm::ConstantInt::get(value.getType(), choice.counter);
  if (llvm::is_contained(nest_.counter, &value) || depth > cost::search::counterDepth) return nullptr;
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || !inside(*instruction->getParent())) return &value;
  if (instruction->mayReadOrWriteMemory() || llvm::isa<llvm::PHINode>(instruction) ||
      !llvm::isSafeToSpeculativelyExecute(instruction))
    return nullptr;
  llvm::SmallVector<llvm::Value*, 4> operands;
  for (const llvm::Use& operand : instruction->operands()) {
    operands.push_back(copy(*operand, choice, depth + 1));
    if (!operands.back()) return nullptr;
  }
  if (const auto bits = affineBitOperationOf(value, instruction->getDataLayout()))
    return bits->terms.size() == 1 ? operands[0] : builder_.CreateAdd(operands[0], operands[1]);
  llvm::Instruction* clone = instruction->clone();
  for (unsigned i = 0; i < operands.size(); ++i) clone->setOperand(i, operands[i]);
  if (!choice.keepFlags) clone->dropPoisonGeneratingFlags();
  builder_.Insert(clone, instruction->getName());
  llvm::Value* simple = llvm::simplifyInstruction(clone, llvm::SimplifyQuery(clone->getDataLayout(), clone));
  if (!simple) return clone;
  clone->eraseFromParent();
  return simple;
}

bool CounterValues::inside(const llvm::BasicBlock& block) {
  if (blocks_.empty()) {
    llvm::SmallVector<const llvm::BasicBlock*, 16> work{nest_.header[2]};
    while (!work.empty()) {
      const llvm::BasicBlock* current = work.pop_back_val();
      if (current == nest_.after || !blocks_.insert(current).second) continue;
      work.append(llvm::succ_begin(current), llvm::succ_end(current));
    }
  }
  return blocks_.contains(&block);
}

}  // namespace clarity::compiler
