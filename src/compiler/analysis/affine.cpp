// SPDX-License-Identifier: Apache-2.0
// This file follows integers and addresses back to ids and loop counters, one operation at a time.
#include "compiler/analysis/affine.h"

#include "compiler/analysis/item_nest.h"
#include "compiler/analysis/no_wrap.h"
#include "compiler/analysis/variance.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/ir/cost_model.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

namespace clarity::compiler {
namespace {

using Term = AffineOperation::Term;
using Kind = AffineOperation::Kind;

constexpr unsigned leastIntegerBits = 32;  ///< bits of results: narrower ones wrap after too few work-items

// --- one operation ---------------------------------------------------------------------------------------------------

AffineOperation sum(llvm::Value* a, llvm::Value* b, std::int64_t sign) { return {Kind::Sum, {{a, 1}, {b, sign}}}; }
AffineOperation copy(llvm::Value* value) { return {Kind::Sum, {{value, 1}}}; }

std::optional<AffineOperation> multiple(const llvm::Operator& operation) {
  const auto* by = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
  if (!by || by->getBitWidth() > 64) return std::nullopt;
  if (operation.getOpcode() == llvm::Instruction::Mul)
    return AffineOperation{Kind::Sum, {{operation.getOperand(0), by->getSExtValue()}}};
  if (by->getValue().uge(by->getBitWidth())) return std::nullopt;
  return AffineOperation{
      Kind::Sum, {{operation.getOperand(0), static_cast<std::int64_t>(std::uint64_t{1} << by->getZExtValue())}}};
}

/// Indices have the width of addresses: InstCombine leaves no others.
std::optional<AffineOperation> address(const llvm::GEPOperator& step, const llvm::DataLayout& layout) {
  llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variables;
  llvm::APInt constant(layout.getIndexTypeSizeInBits(step.getType()), 0);
  if (step.getType()->isVectorTy() || !step.collectOffset(layout, constant.getBitWidth(), variables, constant))
    return std::nullopt;
  AffineOperation operation{
      Kind::Sum, {{const_cast<llvm::Value*>(step.getPointerOperand()), 1}}, constant.getSExtValue()};
  for (const auto& [index, bytes] : variables) operation.terms.push_back({index, bytes.getSExtValue()});
  return operation;
}

AffineOperation truncation(llvm::Value* wide, const llvm::Type* narrow) {
  using namespace llvm::PatternMatch;
  llvm::Value* inner;
  if (match(wide, m_ZExtOrSExt(m_Value(inner))) && inner->getType() == narrow) return copy(inner);  // there and back
  return {Kind::Truncation, {{wide, 1}}};
}

}  // namespace

std::optional<AffineOperation> affineOperationOf(const llvm::Value& value, const llvm::DataLayout& layout) {
  const auto* operation = llvm::dyn_cast<llvm::Operator>(&value);
  if (!operation) return std::nullopt;
  const auto operand = [&](unsigned i) { return operation->getOperand(i); };
  switch (operation->getOpcode()) {
    case llvm::Instruction::Add: return sum(operand(0), operand(1), 1);
    case llvm::Instruction::Sub: return sum(operand(0), operand(1), -1);
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl: return multiple(*operation);
    case llvm::Instruction::Or:
      if (const auto* either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&value); either && either->isDisjoint())
        return sum(operand(0), operand(1), 1);
      return std::nullopt;
    case llvm::Instruction::And:
      if (const auto* both = llvm::dyn_cast<llvm::Instruction>(&value); both && clearsNothing(*both, layout))
        return copy(operand(0));
      return std::nullopt;
    case llvm::Instruction::SExt: return AffineOperation{Kind::SignExtension, {{operand(0), 1}}};
    case llvm::Instruction::ZExt: return AffineOperation{Kind::ZeroExtension, {{operand(0), 1}}};
    case llvm::Instruction::Trunc: return truncation(operand(0), value.getType());
    case llvm::Instruction::Freeze:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::AddrSpaceCast: return copy(operand(0));
    case llvm::Instruction::GetElementPtr: return address(llvm::cast<llvm::GEPOperator>(value), layout);
    default: return std::nullopt;
  }
}

std::optional<AffineOperation> affineBitOperationOf(const llvm::Value& value, const llvm::DataLayout& layout) {
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (!operation || !operation->isBitwiseLogicOp()) return std::nullopt;
  return affineOperationOf(value, layout);
}

// --- loops -----------------------------------------------------------------------------------------------------------

llvm::Value* stepOf(const llvm::PHINode& phi, const llvm::Loop& loop) {
  if (!phi.getType()->isIntegerTy() || phi.getParent() != loop.getHeader() || !loop.getLoopLatch()) return nullptr;
  const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  if (!next || next->getOpcode() != llvm::Instruction::Add) return nullptr;
  for (const unsigned i : {0u, 1u})
    if (next->getOperand(i) == &phi && loop.isLoopInvariant(next->getOperand(1 - i))) return next->getOperand(1 - i);
  return nullptr;
}

namespace {

bool isLoopInvariant(const llvm::Value& value, const llvm::Loop& loop, unsigned depth) {
  if (loop.isLoopInvariant(&value)) return true;
  const auto& instruction = llvm::cast<llvm::Instruction>(value);
  return depth < cost::search::affineDepth && !llvm::isa<llvm::PHINode>(instruction) &&
         !instruction.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&instruction) &&
         llvm::all_of(
             instruction.operands(),
             [&](const llvm::Use& operand) { return isLoopInvariant(*operand, loop, depth + 1); });
}

/// The one dimension along which a value grows by one.
bool isIdAlong(const llvm::Value& value, unsigned dimension, const VarianceInfo& variance) {
  const ValueVariance varies = variance.of(value);
  return varies.dims == Dimensions::only(dimension) && varies.stride[dimension] == 1;
}

bool isAffineAlong(const llvm::Value& value, unsigned dimension, bool guarded, const VarianceInfo& variance,
                   unsigned depth) {
  if (variance.uniform(value)) return true;
  if (isIdAlong(value, dimension, variance) && staysInStep(value, {.isSigned = false, .guarded = guarded}, variance))
    return true;
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (!operation || depth > cost::search::affineDepth) return false;
  const auto part = [&](unsigned i) {
    return isAffineAlong(*operation->getOperand(i), dimension, guarded, variance, depth + 1);
  };
  const auto uniform = [&](unsigned i) { return variance.uniform(*operation->getOperand(i)); };
  switch (operation->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub: return part(0) && part(1);
    case llvm::Instruction::Mul: return (uniform(0) && part(1)) || (uniform(1) && part(0));
    case llvm::Instruction::Shl: return uniform(1) && part(0);
    default: return false;
  }
}

}  // namespace

bool isLoopInvariant(const llvm::Value& value, const llvm::Loop& loop) { return isLoopInvariant(value, loop, 0); }

bool isAffineAlong(const llvm::Value& value, unsigned dimension, bool guarded, const VarianceInfo& variance) {
  return isAffineAlong(value, dimension, guarded, variance, 0);
}

// --- forms -----------------------------------------------------------------------------------------------------------

bool AffineForm::onlyAlong(unsigned dimension) const {
  for (unsigned d = 0; d < 3; ++d)
    if (d != dimension && ids[d] != 0) return false;
  return true;
}

bool AffineForm::within(std::int64_t most) const {
  return llvm::all_of(ids, [&](std::int64_t id) { return distance(id) <= most; }) &&
         llvm::all_of(iterations, [&](const Iterations& one) { return distance(one.coefficient) <= most; });
}

namespace {

AffineForm formOfInvariant(const llvm::Value& value) {
  AffineForm form;
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value);
  if (constant && constant->getBitWidth() <= 64)
    form.constant = constant->getSExtValue();
  else
    form.invariants.push_back({&value, 1});
  return form;
}

template <class Terms, class Same>
void addTerm(Terms& terms, const typename Terms::value_type& term, std::int64_t coefficient, Same same) {
  const auto known = llvm::find_if(terms, same);
  if (known != terms.end())
    known->coefficient = wrappingSum(known->coefficient, coefficient);
  else
    terms.push_back(term), terms.back().coefficient = coefficient;
  llvm::erase_if(terms, [](const auto& one) { return one.coefficient == 0; });
}

/// The same form of a narrower integer: `x + 4294967295` in 64 bits is `x - 1` in 32.
AffineForm modulo(AffineForm form, unsigned bits) {
  const auto reduce = [bits](std::int64_t& number) {
    number = llvm::SignExtend64(static_cast<std::uint64_t>(number), bits);
  };
  for (std::int64_t& id : form.ids) reduce(id);
  for (auto& term : form.iterations) reduce(term.coefficient);
  for (auto& term : form.invariants) reduce(term.coefficient);
  reduce(form.constant);
  llvm::erase_if(form.iterations, [](const auto& term) { return term.coefficient == 0; });
  llvm::erase_if(form.invariants, [](const auto& term) { return term.coefficient == 0; });
  return form;
}

/// sum += factor * form
void accumulate(AffineForm& sum, const AffineForm& form, std::int64_t factor) {
  for (unsigned d = 0; d < 3; ++d) sum.ids[d] = wrappingSum(sum.ids[d], wrappingProduct(form.ids[d], factor));
  for (const auto& term : form.iterations)
    addTerm(sum.iterations, term, wrappingProduct(term.coefficient, factor),
            [&](const auto& one) { return one.counter == term.counter; });
  for (const auto& term : form.invariants)
    addTerm(sum.invariants, term, wrappingProduct(term.coefficient, factor),
            [&](const auto& one) { return one.value == term.value; });
  for (const auto& extension : form.extended)
    if (!llvm::is_contained(sum.extended, extension)) sum.extended.push_back(extension);
  sum.constant = wrappingSum(sum.constant, wrappingProduct(form.constant, factor));
}

}  // namespace

bool AffineForms::isInside(const llvm::Value& value) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction && blocks_.contains(instruction->getParent());
}

std::optional<AffineForm> AffineForms::of(llvm::Value& value) {
  if (!isInside(value)) return formOfInvariant(value);
  if (const auto found = known_.find(&value); found != known_.end()) return found->second;
  known_[&value] = std::nullopt;  // what leads back to itself
  std::optional<AffineForm> form = compute(value);
  known_[&value] = form;
  return form;
}

void AffineForms::setInvariant(const llvm::Value& value) { known_[&value] = formOfInvariant(value); }

std::optional<AffineForm> AffineForms::compute(llvm::Value& value) {
  if (const auto found = replaced_.find(&value); found != replaced_.end()) return of(*found->second);
  for (unsigned d = 0; d < 3; ++d)
    if (&value == nest_.counter[d]) {
      AffineForm form;
      form.ids[d] = 1;
      return form;
    }
  auto& instruction = llvm::cast<llvm::Instruction>(value);
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return ofPhi(*phi);
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
    if (const auto* answer = llvm::dyn_cast_or_null<llvm::ConstantInt>(replaced_.lookup(select->getCondition())))
      return of(*(answer->isZero() ? select->getFalseValue() : select->getTrueValue()));
  if (const auto operation = affineOperationOf(value, instruction.getDataLayout()))
    if (auto form = ofOperation(value, *operation)) return form;
  // Anything else has to be the same for all work-items, and must do no harm ahead of the loops.
  if (instruction.mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(&instruction)) return std::nullopt;
  for (const llvm::Use& use : instruction.operands()) {
    const std::optional<AffineForm> form = of(*use);
    if (!form || !form->invariant()) return std::nullopt;
  }
  return formOfInvariant(value);
}

std::optional<AffineForm> AffineForms::ofOperation(llvm::Value& value, const AffineOperation& operation) {
  AffineForm form;
  form.constant = operation.constant;
  for (const Term& term : operation.terms) {
    const std::optional<AffineForm> part = of(*term.operand);
    if (!part) return std::nullopt;
    accumulate(form, *part, term.factor);
  }
  if (form.iterations.size() > cost::search::affineLoops) return std::nullopt;
  if (operation.kind == Kind::Sum) return form;
  if (form.invariant()) return formOfInvariant(value);
  if (operation.kind == Kind::Truncation) {
    const unsigned bits = value.getType()->getIntegerBitWidth();
    return bits >= leastIntegerBits ? std::optional(modulo(form, bits)) : std::nullopt;
  }
  llvm::Value& narrow = *operation.terms[0].operand;
  const bool isSigned = operation.kind == Kind::SignExtension;
  const auto range = rangeOf(narrow);
  const bool never = isNarrowId(narrow) || (range && range->fits(narrow.getType()->getIntegerBitWidth(), isSigned));
  if (!never) form.extended.push_back({&narrow, isSigned});
  return form;
}

/// A counter that grows by a constant in every iteration of its loop.
std::optional<AffineForm> AffineForms::ofPhi(llvm::PHINode& phi) {
  const llvm::Loop* loop = loops_.getLoopFor(phi.getParent());
  if (!loop || phi.getNumIncomingValues() != 2) return std::nullopt;
  const auto* step = llvm::dyn_cast_or_null<llvm::ConstantInt>(stepOf(phi, *loop));
  if (!step || step->getBitWidth() > 64 || step->isZero()) return std::nullopt;
  std::optional<AffineForm> form = of(*phi.getIncomingValueForBlock(loop->getLoopPredecessor()));
  if (form) form->iterations.push_back({&phi, step->getSExtValue()});
  return form;
}

}  // namespace clarity::compiler
