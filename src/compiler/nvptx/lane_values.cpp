// SPDX-License-Identifier: Apache-2.0
// This file folds constants, once for each number.
#include "compiler/nvptx/lane_values.h"

#include "compiler/analysis/affine.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/guard/limits.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace clarity::compiler::nvptx {
namespace {

bool isFolded(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::SelectInst, llvm::FreezeInst>(instruction)) return true;
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return cast->isIntegerCast();
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && !call->mayReadOrWriteMemory() && !call->isConvergent() &&
         llvm::canConstantFoldCallTo(call, call->getCalledFunction());
}

}  // namespace

llvm::Constant* LaneValues::constant(const llvm::Value& value, unsigned number, unsigned depth) {
  if (!value.getType()->isIntegerTy() || depth > cost::search::warpLaneDepth) return nullptr;
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(&value)) return const_cast<llvm::ConstantInt*>(known);
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction) return nullptr;
  if (const auto known = known_.find({&value, number}); known != known_.end()) return known->second;
  llvm::Constant* result = nullptr;
  if (primitiveOf(*instruction) == Primitive::LocalId) {
    if (dimensionOf(llvm::cast<llvm::CallInst>(*instruction)) == 0)
      result = llvm::ConstantInt::get(value.getType(), number);
  } else if (isFolded(*instruction)) {
    llvm::SmallVector<llvm::Constant*, 3> operands;
    for (const llvm::Use& operand : instruction->operands()) {
      if (llvm::isa<llvm::Function>(operand)) continue;
      llvm::Constant* own = constant(*operand, number, depth + 1);
      if (!own) break;
      operands.push_back(own);
    }
    const unsigned expected = instruction->getNumOperands() - (llvm::isa<llvm::CallInst>(instruction) ? 1 : 0);
    if (operands.size() == expected) {
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(instruction))
        result = llvm::ConstantFoldCall(call, call->getCalledFunction(), operands);
      else
        result = llvm::ConstantFoldInstOperands(instruction, operands, layout_);
    }
    if (result && !llvm::isa<llvm::ConstantInt>(result)) result = nullptr;
  }
  return known_[{&value, number}] = result;
}

std::optional<std::int64_t> LaneValues::of(const llvm::Value& value, unsigned number) {
  const auto* known = llvm::cast_or_null<llvm::ConstantInt>(constant(value, number, 0));
  if (!known || known->getBitWidth() > 64) return std::nullopt;
  return known->getBitWidth() == 1 ? static_cast<std::int64_t>(known->getZExtValue()) : known->getSExtValue();
}

std::optional<llvm::SmallVector<std::int64_t, 32>> LaneValues::of(const llvm::Value& value) {
  checkLimits();
  llvm::SmallVector<std::int64_t, 32> all;
  for (unsigned number = 0; number < count_; ++number) {
    const auto own = of(value, number);
    if (!own) return std::nullopt;
    all.push_back(*own);
  }
  return all;
}

std::optional<LocalAddress> LaneValues::address(llvm::Value& pointer) {
  LocalAddress result;
  result.bytes.assign(count_, 0);
  llvm::Value* at = &pointer;
  unsigned depth = 0;
  while (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(at)) {
    if (++depth > cost::search::warpLaneDepth) return std::nullopt;  // code that is never reached may lead in a circle
    const auto operation = affineOperationOf(*step, layout_);
    if (!operation) return std::nullopt;
    for (std::int64_t& each : result.bytes) each = wrappingSum(each, operation->constant);
    for (const auto& [index, bytes] : llvm::drop_begin(operation->terms)) {
      const auto values = of(*index);
      if (!values) return std::nullopt;
      for (unsigned number = 0; number < count_; ++number)
        result.bytes[number] = wrappingSum(result.bytes[number], wrappingProduct((*values)[number], bytes));
    }
    at = operation->terms.front().operand;
  }
  const auto* source = llvm::dyn_cast<llvm::Instruction>(at);
  if (!llvm::isa<llvm::Argument>(at) && !(source && primitiveOf(*source) == Primitive::LocalMemory))
    return std::nullopt;
  result.base = at;
  if (source) fromVariable(result);
  return result;
}

void LaneValues::fromVariable(LocalAddress& address) {
  if (variables_.empty()) {
    variables_.insert(0);
    const llvm::Function& kernel = *llvm::cast<llvm::Instruction>(address.base)->getFunction();
    for (const LocalVariable& variable : localVariablesOf(kernel))
      variables_.insert(static_cast<std::int64_t>(variable.offset));
  }
  const auto next = variables_.upper_bound(*std::ranges::min_element(address.bytes));
  if (next == variables_.begin()) return;
  address.start = *std::prev(next);
  for (std::int64_t& each : address.bytes) each -= address.start;
}

llvm::SmallVector<bool, 32> LaneValues::reach(const llvm::BasicBlock& block, const llvm::DominatorTree& dominators) {
  llvm::SmallVector<bool, 32> may(count_, true);
  const auto* own = dominators.getNode(&block);
  for (const auto* node = own ? own->getIDom() : nullptr; node; node = node->getIDom()) {
    const llvm::BasicBlock* above = node->getBlock();
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(above->getTerminator());
    if (!branch || !branch->isConditional()) continue;
    for (unsigned way = 0; way < 2; ++way) {
      if (!dominators.dominates(llvm::BasicBlockEdge(above, branch->getSuccessor(way)), &block)) continue;
      for (unsigned number = 0; number < count_; ++number)
        if (const auto taken = of(*branch->getCondition(), number)) may[number] &= (*taken != 0) == (way == 0);
    }
  }
  return may;
}

}  // namespace clarity::compiler::nvptx
