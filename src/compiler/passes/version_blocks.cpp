// SPDX-License-Identifier: Apache-2.0
// This file finds divisions, remainders and bit operations on ids, and checks ahead of the loops whether blocks begin
// where packets do.
#include "compiler/passes/version_blocks.h"

#include "compiler/analysis/affine.h"
#include "compiler/analysis/variance.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/remarks.h"
#include "compiler/transforms/nest_forms.h"

#include <fmt/format.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CmpPredicate.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace clarity::compiler {
namespace {

constexpr unsigned mostOperations = cost::mostConditions;
constexpr unsigned tileWidth = cost::blockTileWidth;
constexpr std::int64_t mostCoefficient = std::int64_t{1} << 20;

/// An operation on an affine value and a uniform one whose result has a constant stride within a block of ids.
struct Operation {
  enum class Needs {
    Nothing,   ///< but that the divisor is positive
    Multiple,  ///< that the other operand is a multiple of a block
    AllOnes,   ///< that its bits below a block are all set
    Shift,     ///< that it shifts whole blocks away
  };
  llvm::Instruction* operation = nullptr;
  llvm::Value *affine = nullptr, *other = nullptr;
  Needs needs = Needs::Nothing;
  std::uint64_t block = 1;  ///< growth of the affine value over as many work-items as a tile may have
  std::int64_t stride = 0;  ///< from lane to lane, if all lanes lie in one block
  bool aboveZero = false;   ///< only of what is not negative
  bool isAffine = false;    ///< the result begins at multiples of a block as the id does
};

/// Whether a condition is false where a divisor is positive, as that of a guard is (GuardDivisionPass).
bool excludesPositive(llvm::Value& condition, llvm::Value& divisor, unsigned depth = 0) {
  using namespace llvm::PatternMatch;
  llvm::Value *left = nullptr, *right = nullptr;
  if (depth == cost::search::guardDepth) return false;
  if (match(&condition, m_LogicalOr(m_Value(left), m_Value(right))))
    return excludesPositive(*left, divisor, depth + 1) && excludesPositive(*right, divisor, depth + 1);
  if (match(&condition, m_LogicalAnd(m_Value(left), m_Value(right))))
    return excludesPositive(*left, divisor, depth + 1) || excludesPositive(*right, divisor, depth + 1);
  llvm::CmpPredicate predicate;
  const llvm::APInt *limit = nullptr, *apart = nullptr;
  if (!match(&condition, m_ICmp(predicate, m_Value(left), m_APInt(limit)))) return false;
  llvm::ConstantRange values = llvm::ConstantRange::makeExactICmpRegion(predicate, *limit);
  const unsigned bits = divisor.getType()->getIntegerBitWidth();
  if (match(&divisor, m_ZExt(m_Specific(left))))
    values = values.zeroExtend(bits);
  else if (match(&divisor, m_SExt(m_Specific(left))))
    values = values.signExtend(bits);
  else if (match(left, m_Add(m_Specific(&divisor), m_APInt(apart))))
    values = values.subtract(*apart);
  else if (match(&divisor, m_Add(m_Specific(left), m_APInt(apart))))
    values = values.add(*apart);
  else if (left != &divisor)
    return false;
  const llvm::APInt one(bits, 1);
  return values.intersectWith(llvm::ConstantRange(one, llvm::APInt::getSignedMinValue(bits))).isEmptySet();
}

class BlockVersioner {
public:
  BlockVersioner(ItemNest& nest, const VarianceInfo& variance, llvm::LoopInfo& loops, unsigned along, unsigned block)
      : nest_(nest),
        variance_(variance),
        loops_(loops),
        along_(along),
        block_(block),
        forms_(nest, blocks_, loops),
        builder_(nest.before->getContext(), llvm::InstSimplifyFolder(nest.before->getDataLayout())),
        first_(blocks_, loops, builder_) {}

  bool run() {
    auto blocks = blocksToCopy(nest_, loops_);
    if (!blocks) return false;
    blocks_ = *std::move(blocks);
    findOperations();
    if (operations_.empty()) return false;
    builder_.SetInsertPoint(nest_.before->getTerminator());
    first_.choose(*nest_.counter[along_], *nest_.begin[along_]);
    llvm::Value* aligned = builder_.getTrue();
    for (const Operation& operation : operations_) aligned = builder_.CreateAnd(aligned, holds(operation));
    if (llvm::PatternMatch::match(aligned, llvm::PatternMatch::m_Zero())) return false;
    for (const Operation& operation : operations_) {
      remark(*operation.operation, RemarkKind::Version,
             fmt::format("loop versioned for block-aligned packets: affine where blocks have {} work-items or more",
                         block_));
    }
    if (llvm::isa<llvm::Constant>(aligned)) {
      for (const Operation& operation : operations_) mark(*operation.operation, operation, *operation.other);
      markNest(*nest_.latch);
      return true;
    }
    makeForms(aligned);
    return true;
  }

private:
  void findOperations() {
    for (llvm::BasicBlock* block : runInOrder(nest_, loops_))
      for (llvm::Instruction& instruction : *block) {
        if (operations_.size() == mostOperations) return;
        auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
        if (!binary || !binary->getType()->isIntegerTy() || binary->getType()->getIntegerBitWidth() < 32 ||
            binary->getType()->getIntegerBitWidth() > 64)
          continue;
        std::optional<Operation> operation = operationOf(*binary);
        if (!operation || fails(*operation) || variance_.of(instruction).stride[along_] ||
            !decidesAccesses(instruction, /*branches=*/false))
          continue;
        operations_.push_back(*operation);
        if (operation->isAffine) forms_.replace(instruction, *operation->affine);
        if (operation->stride == 0) same_.insert(&instruction);
      }
  }

  /// The coefficient of the id in an affine value: a power of two, or 0 for other values.
  std::int64_t coefficientOf(llvm::Value& value) {
    const auto form = forms_.of(value);
    if (!form || !form->iterations.empty() || !form->onlyAlong(along_)) return 0;
    const std::int64_t coefficient = form->ids[along_];
    return coefficient > 0 && coefficient <= mostCoefficient &&
                   llvm::isPowerOf2_64(static_cast<std::uint64_t>(coefficient))
               ? coefficient
               : 0;
  }

  bool isInvariant(llvm::Value& value) {
    const auto form = forms_.of(value);
    return form && form->invariant();
  }

  /// The divisor under the guards of a division (GuardDivisionPass), or under what LLVM made of them: the same if it is
  /// positive. Conditions of the program that choose a divisor are none.
  static llvm::Value* divisorUnder(llvm::BinaryOperator& division) {
    using namespace llvm::PatternMatch;
    // A pattern that fails may have set its values.
    llvm::Value *divisor = division.getOperand(1), *condition = nullptr, *inner = nullptr;
    while ((match(divisor, m_Select(m_Value(condition), m_One(), m_Value(inner))) &&
            excludesPositive(*condition, *inner)) ||
           match(divisor, m_c_UMax(m_Value(inner), m_One())) || match(divisor, m_c_SMax(m_Value(inner), m_One())))
      divisor = inner;
    return divisor;
  }

  /// Whether a value is the same in all lanes, given what has been found so far.
  bool isSame(llvm::Value& value) {
    if (same_.contains(&value)) return true;
    if (llvm::is_contained(nest_.counter, &value)) return &value != nest_.counter[along_];
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || !blocks_.contains(instruction->getParent())) return true;
    if (isInvariant(value)) return true;
    const bool same = (llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::FreezeInst>(instruction)) &&
                      !instruction->isIntDivRem() &&
                      llvm::all_of(instruction->operands(), [&](llvm::Use& operand) { return isSame(*operand); });
    if (same) same_.insert(&value);
    return same;
  }

  std::optional<Operation> operationOf(llvm::BinaryOperator& binary) {
    Operation found{&binary, binary.getOperand(0), binary.isIntDivRem() ? divisorUnder(binary) : binary.getOperand(1)};
    if (binary.isIntDivRem() && isInvariant(*found.other) && !isInvariant(*found.affine) && isSame(*found.affine))
      return found;
    if (binary.isCommutative() && !coefficientOf(*found.affine)) std::swap(found.affine, found.other);
    const std::int64_t coefficient = coefficientOf(*found.affine);
    if (coefficient == 0 || !isInvariant(*found.other)) return std::nullopt;
    found.block = block_ * static_cast<std::uint64_t>(coefficient);
    using Needs = Operation::Needs;
    found.needs = isMask(*found.other, found.block) ? Needs::AllOnes : Needs::Multiple;
    switch (binary.getOpcode()) {
      case llvm::Instruction::And:
        found.stride = found.needs == Needs::AllOnes ? coefficient : 0;
        found.isAffine = found.needs == Needs::AllOnes;
        return found;
      case llvm::Instruction::Or:
        found.stride = found.needs == Needs::AllOnes ? 0 : coefficient;
        found.isAffine = found.needs == Needs::Multiple;
        return found;
      case llvm::Instruction::Xor:
        found.stride = found.needs == Needs::AllOnes ? -coefficient : coefficient;
        found.isAffine = found.needs == Needs::Multiple;
        return found;
      case llvm::Instruction::URem:
      case llvm::Instruction::SRem:
        found.needs = Needs::Multiple;
        found.stride = coefficient;
        found.isAffine = true;
        found.aboveZero = binary.getOpcode() == llvm::Instruction::SRem;
        return found;
      case llvm::Instruction::UDiv:
      case llvm::Instruction::SDiv:
        found.needs = Needs::Multiple;
        found.aboveZero = binary.getOpcode() == llvm::Instruction::SDiv;
        return found;
      case llvm::Instruction::LShr:
      case llvm::Instruction::AShr: found.needs = Needs::Shift; return found;
      default: return std::nullopt;
    }
  }

  /// The answer is known at once for constants: `id & 1` differs in every packet, and no block of `(id + 1) % n` begins
  /// where a packet does.
  static bool fails(const Operation& operation) {
    using namespace llvm::PatternMatch;
    const llvm::APInt* apart;
    const bool beside = match(operation.affine, m_Add(m_Value(), m_APInt(apart))) &&
                        apart->countr_zero() < static_cast<unsigned>(std::countr_zero(operation.block));
    if (operation.needs != Operation::Needs::Nothing && beside) return true;
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(operation.other);
    if (!known) return false;
    switch (operation.needs) {
      case Operation::Needs::Nothing: return !known->getValue().isStrictlyPositive();
      case Operation::Needs::Multiple:
        return known->getValue().countr_zero() < static_cast<unsigned>(std::countr_zero(operation.block));
      case Operation::Needs::AllOnes:
        return known->getValue().countr_one() < static_cast<unsigned>(std::countr_zero(operation.block));
      case Operation::Needs::Shift:
        return known->getValue().ult(static_cast<unsigned>(std::countr_zero(operation.block)));
    }
    return true;
  }

  /// `half - 1`, `~(-1 << bits)`: numbers whose lowest bits are probably set. Constants are known to have them set or
  /// not.
  static bool isMask(llvm::Value& value, std::uint64_t block) {
    using namespace llvm::PatternMatch;
    const llvm::APInt* constant;
    if (match(&value, m_APInt(constant)))
      return constant->countr_one() >= static_cast<unsigned>(std::countr_zero(block));
    llvm::Value* inner = &value;
    while (match(inner, m_ZExtOrSExt(m_Value(inner))) || match(inner, m_Trunc(m_Value(inner))) ||
           match(inner, m_Freeze(m_Value(inner)))) {
    }
    return match(inner, m_Add(m_Value(), m_AllOnes())) || match(inner, m_Not(m_Value())) ||
           match(inner, m_Sub(m_Value(), m_One()));
  }

  /// Computed ahead of the loops: whether blocks begin where packets do and are large enough.
  llvm::Value* holds(const Operation& operation) {
    llvm::Type* type = operation.operation->getType();
    llvm::Value* other = builder_.CreateFreeze(first_.of(*operation.other));
    if (operation.needs == Operation::Needs::Nothing)
      return builder_.CreateICmpSGT(other, llvm::ConstantInt::get(type, 0));
    llvm::Value* first = builder_.CreateFreeze(first_.of(*operation.affine));
    llvm::Value* all = isMultiple(first, operation.block);
    if (operation.aboveZero) {
      // And stays so up to the end of the row: of the items there are fewer than 2^31, of the coefficient 2^20.
      llvm::Type* wide = builder_.getInt64Ty();
      llvm::Value* items = builder_.CreateZExt(builder_.CreateSub(nest_.end[along_], nest_.begin[along_]), wide);
      llvm::Value* begin = builder_.CreateSExt(first, wide);
      llvm::Value* last =
          builder_.CreateAdd(begin, builder_.CreateMul(items, llvm::ConstantInt::get(wide, operation.block / block_)));
      all = builder_.CreateAnd(all, builder_.CreateICmpSGE(first, llvm::ConstantInt::get(type, 0)));
      all = builder_.CreateAnd(all, builder_.CreateICmpSGE(last, begin));
      const llvm::APInt most = llvm::APInt::getSignedMaxValue(type->getIntegerBitWidth()).zext(64);
      all = builder_.CreateAnd(all, builder_.CreateICmpSLE(last, llvm::ConstantInt::get(wide, most)));
    }
    switch (operation.needs) {
      case Operation::Needs::Nothing: return all;
      case Operation::Needs::Multiple: all = builder_.CreateAnd(all, isMultiple(other, operation.block)); break;
      case Operation::Needs::AllOnes:
        all = builder_.CreateAnd(all, isMultiple(builder_.CreateNot(other), operation.block));
        break;
      case Operation::Needs::Shift: {
        const auto least = static_cast<std::uint64_t>(std::countr_zero(operation.block));
        all = builder_.CreateAnd(all, builder_.CreateICmpUGE(other, llvm::ConstantInt::get(type, least)));
        return builder_.CreateAnd(
            all, builder_.CreateICmpULT(other, llvm::ConstantInt::get(type, type->getIntegerBitWidth())));
      }
    }
    if (!operation.operation->isIntDivRem()) return all;
    return builder_.CreateAnd(all, builder_.CreateICmpSGT(other, llvm::ConstantInt::get(type, 0)));
  }

  llvm::Value* isMultiple(llvm::Value* value, std::uint64_t of) {
    llvm::Type* type = value->getType();
    return builder_.CreateICmpEQ(builder_.CreateAnd(value, llvm::ConstantInt::get(type, of - 1)),
                                 llvm::ConstantInt::get(type, 0));
  }

  llvm::MDNode* number(std::int64_t value) {
    return llvm::MDNode::get(builder_.getContext(),
                             llvm::ConstantAsMetadata::get(builder_.getInt64(static_cast<std::uint64_t>(value))));
  }

  void mark(llvm::Instruction& instruction, const Operation& operation, llvm::Value& other) {
    instruction.setMetadata(inStepMetadata, number(operation.stride));
    if (instruction.isIntDivRem()) instruction.setOperand(1, &other);  // which is above zero here
  }
  void markNest(llvm::BasicBlock& latch) { latch.getTerminator()->setMetadata(blockMetadata, number(block_)); }

  void makeForms(llvm::Value* aligned) {
    llvm::ValueToValueMapTy copies;
    llvm::BasicBlock* inner = copyNest(nest_, blocks_, copies);
    for (const Operation& operation : operations_)
      mark(*llvm::cast<llvm::Instruction>(copies[operation.operation]), operation, copyOf(*operation.other, copies));
    markNest(*llvm::cast<llvm::BasicBlock>(copies[nest_.latch]));
    enterOneOf(nest_, *aligned, {*inner, "aligned.blocks"}, {*nest_.header[2], "any.blocks"});
  }

  ItemNest& nest_;
  const VarianceInfo& variance_;
  llvm::LoopInfo& loops_;
  const unsigned along_;
  const unsigned block_;
  NestBlocks blocks_;
  AffineForms forms_;
  AheadBuilder builder_;
  ValuesAhead first_;  ///< values of a row's first work-item
  llvm::SmallVector<Operation, 8> operations_;
  llvm::SmallPtrSet<const llvm::Value*, 16> same_;  ///< in all lanes
};

}  // namespace

llvm::PreservedAnalyses VersionBlocksPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const unsigned along = lanesAlong(function);
  const VarianceInfo& variance = analyses.getResult<VarianceAnalysis>(function);
  llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  bool changed = false;
  // A second form of one nest changes nothing that the analyses know of the others.
  for (ItemNest& nest : findItemNests(function)) {
    const llvm::Loop* items = loops.getLoopFor(nest.header[0]);
    if (!items || asksSubGroup(nest)) continue;
    // One packet of 32-bit numbers, or several where a loop inside makes tiles pay off.
    const unsigned packet = options.vectorBits / 32;
    const unsigned block = std::max(options.lanes, items->isInnermost() ? packet : std::max(2 * packet, tileWidth));
    changed |= BlockVersioner(nest, variance, loops, along, block).run();
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
