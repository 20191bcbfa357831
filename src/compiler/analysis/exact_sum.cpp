// SPDX-License-Identifier: Apache-2.0
// This file follows index arithmetic to values that are right for every work-item.
#include "compiler/analysis/exact_sum.h"

#include "compiler/analysis/affine.h"
#include "compiler/analysis/no_wrap.h"
#include "compiler/analysis/variance.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include <utility>

namespace clarity::compiler {
namespace {

class Collector {
public:
  explicit Collector(const VarianceInfo& variance) : variance_(variance) {}

  bool add(const llvm::Value& value, std::int64_t factor, unsigned depth) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
      if (constant->getBitWidth() > 64) return false;
      sum_.constant = wrappingSum(sum_.constant, wrappingProduct(constant->getSExtValue(), factor));
      return true;
    }
    if (!instruction || isTerm(*instruction)) return addTerm(value, factor);
    // Strides are so small that a wider value does not leave 32 bits where those that fit a narrower type are near.
    if (llvm::isa<llvm::TruncInst>(instruction))
      return !mayWrap(*instruction->getOperand(0)) && addTerm(*instruction->getOperand(0), factor);
    const ExactSum before = sum_;
    if (depth <= cost::search::sumDepth && addOperands(*instruction, factor, depth)) return true;
    sum_ = before;
    return isSameInLanes(*instruction) && addTerm(value, factor);
  }

  ExactSum& sum() { return sum_; }

private:
  bool addOperands(const llvm::Instruction& instruction, std::int64_t factor, unsigned depth) {
    const auto operation = instruction.getMetadata(inStepMetadata)
                               ? std::nullopt
                               : affineOperationOf(instruction, instruction.getDataLayout());
    if (!operation || operation->kind != AffineOperation::Kind::Sum) return false;
    sum_.constant = wrappingSum(sum_.constant, wrappingProduct(operation->constant, factor));
    return llvm::all_of(operation->terms, [&](const AffineOperation::Term& term) {
      return add(*term.operand, wrappingProduct(factor, term.factor), depth + 1);
    });
  }

  /// The same for all who compute it, or in step for all work-items.
  bool isTerm(const llvm::Instruction& value) const {
    if (variance_.uniform(value) || isNarrowId(value)) return true;
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(value)) return !mayWrap(value);
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value); phi && countsUp(*phi)) return true;
    const auto range = rangeOf(value);
    return range && range->fits(value.getType()->getIntegerBitWidth(), /*isSigned=*/true);
  }

  /// Whether a value is the same in all lanes, and no other is reckoned from it.
  bool isSameInLanes(const llvm::Instruction& value) const {
    const ValueVariance varies = variance_.of(value);
    return !varies.dims.has(lanesAlong(*value.getFunction())) &&
           llvm::all_of(varies.stride, [](const auto& stride) { return stride.value_or(0) == 0; });
  }

  /// `for (int i = get_local_id(0); i < n; i += get_local_size(0))`: who goes on counts from 0 on and does not
  /// overflow, so that the counter of a lane before it, which may have left the loop, is not far below 0.
  bool countsUp(const llvm::PHINode& phi) const {
    const ValueVariance varies = variance_.of(phi);
    if (phi.getNumIncomingValues() != 2 ||
        !llvm::all_of(varies.stride, [](const auto& stride) { return stride.value_or(-1) >= 0; }))
      return false;
    for (const unsigned back : {0u, 1u}) {
      const llvm::Value& start = *phi.getIncomingValue(1 - back);
      const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValue(back));
      if (!next || next->getOpcode() != llvm::Instruction::Add || !next->hasNoSignedWrap()) continue;
      const unsigned counter = next->getOperand(0) == &phi ? 0 : 1;
      const llvm::Value& step = *next->getOperand(1 - counter);
      const llvm::DataLayout& layout = phi.getDataLayout();
      if (next->getOperand(counter) == &phi && isNonNegative(start, layout) &&
          (isPositiveSize(step) || isNonNegative(step, layout)))
        return true;
    }
    return false;
  }

  /// Whether the stride of anything in a value is an assumption.
  bool mayWrap(const llvm::Value& value) const {
    llvm::SmallPtrSet<const llvm::Value*, 16> seen;
    llvm::SmallVector<const llvm::Value*, 16> work{&value};
    while (!work.empty()) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(work.pop_back_val());
      if (!instruction || variance_.uniform(*instruction) || !seen.insert(instruction).second) continue;
      if (variance_.mayWrap(*instruction) || seen.size() > cost::search::sumInstructions) return true;
      work.append(instruction->value_op_begin(), instruction->value_op_end());
    }
    return false;
  }

  bool addTerm(const llvm::Value& value, std::int64_t factor) {
    if (sum_.terms.size() == cost::search::sumTerms) return false;
    sum_.terms.push_back({&value, factor});
    return true;
  }

  const VarianceInfo& variance_;
  ExactSum sum_;
};

}  // namespace

std::optional<ExactSum> exactSumOf(const llvm::Value& number, const VarianceInfo& variance) {
  Collector collector(variance);
  if (!collector.add(number, 1, 0)) return std::nullopt;
  return std::move(collector.sum());
}

}  // namespace clarity::compiler
