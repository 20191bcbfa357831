// SPDX-License-Identifier: Apache-2.0
// This file recognises minima, maxima, remainders and comparisons of affine values.
#include "compiler/transforms/boundary_operations.h"

#include "compiler/analysis/no_wrap.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace clarity::compiler {
namespace {

using Kind = BoundaryOperation::Kind;

constexpr unsigned mostOperations = cost::mostConditions;
constexpr std::uint64_t nearBoundary =
    cost::interior::mostBoundary;  ///< constants up to this stand for the lower boundary
constexpr std::int64_t mostNeighbourDistance = std::int64_t{1}
                                               << 20;  ///< programs index neighbours by less; ranges stay far from 2^63

bool isSmall(const llvm::Value& divisor) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(&divisor);
  return known && known->getValue().ult(leastInterior);
}

/// A mask of lowest bits: a constant, or a number minus one.
bool isMask(const llvm::Value& value) {
  using namespace llvm::PatternMatch;
  const llvm::APInt* constant;
  if (match(&value, m_APInt(constant))) return constant->isMask() && !isSmall(value);
  const llvm::Value* inner = &value;
  while (match(inner, m_ZExtOrSExt(m_Value(inner))) || match(inner, m_Freeze(m_Value(inner)))) {
  }
  return match(inner, m_Add(m_Value(), m_AllOnes()));
}

bool isIdItself(const llvm::Value& value) {
  const llvm::Value* inner = &value;
  while (llvm::isa<llvm::CastInst, llvm::FreezeInst>(inner))
    inner = llvm::cast<llvm::Instruction>(inner)->getOperand(0);
  return isId(*inner);
}

}  // namespace

llvm::SmallVector<BoundaryOperation, 8> BoundaryOperations::find() {
  llvm::SmallVector<BoundaryOperation, 8> found;
  for (llvm::BasicBlock* block : runInOrder(nest_, loops_))
    for (llvm::Instruction& instruction : *block) {
      if (found.size() == mostOperations) return found;
      std::optional<BoundaryOperation> operation = operationOf(instruction);
      if (!operation || !decidesAccesses(instruction, /*branches=*/true)) continue;
      if (operation->kind != Kind::Comparison) {
        operation->takesBound = operation->kind != Kind::Remainder && clipsLoop(instruction, *operation->affine);
        forms_.replace(instruction, operation->takesBound ? *operation->bound : *operation->affine);
      } else {
        // The same for all interior work-items, true or false.
        operation->expected = expected(*operation);
        if (operation->expected)
          forms_.replace(instruction, *llvm::ConstantInt::getBool(instruction.getContext(), *operation->expected));
        else
          forms_.setInvariant(instruction);
      }
      found.push_back(*operation);
    }
  return found;
}

std::optional<BoundaryOperation> BoundaryOperations::operationOf(llvm::Instruction& instruction) {
  if (instruction.getNumOperands() < 2) return std::nullopt;
  const llvm::Type* type = instruction.getOperand(0)->getType();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64) return std::nullopt;
  if (auto* extreme = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction)) {
    const bool least =
        extreme->getIntrinsicID() == llvm::Intrinsic::smin || extreme->getIntrinsicID() == llvm::Intrinsic::umin;
    return complete(
        {.instruction = extreme, .kind = least ? Kind::Minimum : Kind::Maximum, .isSigned = extreme->isSigned()},
        *extreme->getLHS(), *extreme->getRHS());
  }
  if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction); comparison && !endsLoop(*comparison))
    return complete(
        {.instruction = comparison, .predicate = comparison->getPredicate(), .isSigned = comparison->isSigned()},
        *comparison->getOperand(0), *comparison->getOperand(1));
  return remainderOf(instruction);
}

/// `id % n` by itself numbers the columns of rows, of which each has boundaries.
std::optional<BoundaryOperation> BoundaryOperations::remainderOf(llvm::Instruction& instruction) {
  const unsigned opcode = instruction.getOpcode();
  const bool divides = opcode == llvm::Instruction::URem || opcode == llvm::Instruction::SRem;
  if (!divides && opcode != llvm::Instruction::And) return std::nullopt;
  if (divides && isIdItself(*instruction.getOperand(0))) return std::nullopt;
  const auto operation = complete({.instruction = &instruction,
                                   .kind = Kind::Remainder,
                                   .isSigned = opcode == llvm::Instruction::SRem,
                                   .isMask = !divides},
                                  *instruction.getOperand(0), *instruction.getOperand(1));
  if (!operation) return std::nullopt;
  if (divides)
    return operation->affine == instruction.getOperand(0) && !isSmall(*operation->bound) ? operation : std::nullopt;
  return isMask(*operation->bound) && !isIdItself(*operation->affine) ? operation
                                                                      : std::nullopt;  // `(x + 1) & (n - 1)`
}

/// Affine on one side, the same for all work-items on the other.
std::optional<BoundaryOperation> BoundaryOperations::complete(BoundaryOperation operation, llvm::Value& left,
                                                              llvm::Value& right) {
  const auto first = forms_.of(left), second = forms_.of(right);
  if (!first || !second || (first->ids[along_] == 0) == (second->ids[along_] == 0)) return std::nullopt;
  const bool swapped = first->ids[along_] == 0;
  const AffineForm& affine = swapped ? *second : *first;
  if (!(swapped ? first : second)->invariant() || !affine.onlyAlong(along_) || !affine.within(mostNeighbourDistance) ||
      !iterationsKnown(affine))
    return std::nullopt;
  operation.affine = swapped ? &right : &left;
  operation.bound = swapped ? &left : &right;
  if (swapped && operation.kind == Kind::Comparison)
    operation.predicate = llvm::CmpInst::getSwappedPredicate(operation.predicate);
  return operation;
}

std::optional<bool> BoundaryOperations::expected(const BoundaryOperation& operation) {
  if (operation.predicate == llvm::CmpInst::ICMP_EQ) return false;
  if (operation.predicate == llvm::CmpInst::ICMP_NE) return true;
  // `x + 1 < width ? x + 1 : 0`
  for (llvm::User* user : operation.instruction->users()) {
    auto* select = llvm::dyn_cast<llvm::SelectInst>(user);
    if (!select || select->getCondition() != operation.instruction) continue;
    const auto whenTrue = forms_.of(*select->getTrueValue()), whenFalse = forms_.of(*select->getFalseValue());
    if (whenTrue && whenFalse && (whenTrue->ids[along_] == 0) != (whenFalse->ids[along_] == 0)) {
      const bool takesAffine = whenTrue->ids[along_] != 0;
      return takesAffine != clipsLoop(*select, takesAffine ? *select->getTrueValue() : *select->getFalseValue());
    }
  }
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(operation.bound);
  return known && known->getValue().abs().ule(nearBoundary) ? std::optional(!isLess(operation.predicate))
                                                            : std::nullopt;
}

/// Whether all work-items run the loops of a form the same number of times, which can be computed ahead of them.
bool BoundaryOperations::iterationsKnown(const AffineForm& form) {
  llvm::SCEVExpander expander(evolution_, "iterations");
  return llvm::all_of(form.iterations, [&](const AffineForm::Iterations& one) {
    const llvm::SCEV* count = mostIterationsOf(one, loops_, evolution_);
    return !llvm::isa<llvm::SCEVCouldNotCompute>(count) &&
           evolution_.isLoopInvariant(count, loops_.getLoopFor(nest_.header[2])) && count->getType()->isIntegerTy() &&
           evolution_.getTypeSizeInBits(count->getType()) <= 64 &&
           expander.isSafeToExpandAt(count, nest_.before->getTerminator());
  });
}

/// A loop of the region keeps its only exit.
bool BoundaryOperations::endsLoop(const llvm::ICmpInst& comparison) const {
  return llvm::any_of(comparison.users(), [&](const llvm::User* user) {
    const llvm::BasicBlock* block = llvm::cast<llvm::Instruction>(user)->getParent();
    const llvm::Loop* loop = loops_.getLoopFor(block);
    return loop && loop->getHeader() != nest_.header[0] && loop->getExitingBlock() == block;
  });
}

/// Whether the value is an end of a loop that clips a window around the work-item, counted from the work-item:
/// `for (k = max(-r, -x); k <= min(r, width - 1 - x); k++) in[x + k]`. The ends fall from work-item to work-item where
/// the row clips the window, and are the same for all in between. They rise if the loop counts backwards from the
/// work-item: `for (k = max(0, x + r - width + 1); k < min(n, x + r + 1); k++) in[x + r - k]`.
bool BoundaryOperations::clipsLoop(const llvm::Instruction& value, llvm::Value& affine) {
  const auto form = forms_.of(affine);
  if (!form) return false;
  using Falling = std::pair<const llvm::Instruction*, bool>;  // LLVM writes max(-r, -x) as -min(r, x)
  llvm::SmallVector<Falling, 8> work{{&value, form->ids[along_] < 0}};
  for (unsigned followed = 0; !work.empty() && followed < cost::mostUsersFollowed; ++followed) {
    const auto [at, falls] = work.pop_back_val();
    for (const llvm::Use& use : at->uses()) {
      const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      if (isEndOfLoop(*user)) {
        if (falls || countsBackwards(*user)) return true;
      } else if (llvm::isa<llvm::CastInst, llvm::FreezeInst, llvm::SelectInst, llvm::MinMaxIntrinsic>(user) ||
                 user->getOpcode() == llvm::Instruction::Add) {
        work.emplace_back(user, falls);
      } else if (user->getOpcode() == llvm::Instruction::Sub) {
        work.emplace_back(user, falls != (use.getOperandNo() == 1));
      }
    }
  }
  return false;
}

/// Whether the loop with this end subtracts its counter from the work-item's place. Ends that rise are otherwise places
/// themselves: `for (k = max(0, x - r); ...) in[k]`.
bool BoundaryOperations::countsBackwards(const llvm::Instruction& end) {
  const llvm::Loop* loop = loops_.getLoopFor(end.getParent());
  for (const llvm::PHINode& counter : loop->getHeader()->phis())
    for (const llvm::User* user : counter.users()) {
      const auto* difference = llvm::dyn_cast<llvm::BinaryOperator>(user);
      if (!difference || difference->getOpcode() != llvm::Instruction::Sub || difference->getOperand(1) != &counter)
        continue;
      if (const auto place = forms_.of(*difference->getOperand(0)); place && place->ids[along_] > 0) return true;
    }
  return false;
}

/// Whether a loop of the region begins with an operand of the instruction, or is left by it.
bool BoundaryOperations::isEndOfLoop(const llvm::Instruction& instruction) const {
  if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) return endsLoop(*comparison);
  const llvm::BasicBlock* block = instruction.getParent();
  return llvm::isa<llvm::PHINode>(instruction) && loops_.isLoopHeader(block) && block != nest_.header[0];
}

const llvm::SCEV* mostIterationsOf(const AffineForm::Iterations& iterations, const llvm::LoopInfo& loops,
                                   llvm::ScalarEvolution& evolution) {
  return evolution.getSymbolicMaxBackedgeTakenCount(loops.getLoopFor(iterations.counter->getParent()));
}

}  // namespace clarity::compiler
