// SPDX-License-Identifier: Apache-2.0
// This file finds expressions of 32-bit integers whose values fit 16 bits, and writes them so.
#include "compiler/passes/narrow_arithmetic.h"

#include "compiler/analysis/variance.h"
#include "compiler/ir/cost_model.h"
#include "compiler/transforms/preserved.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace clarity::compiler {
namespace {

constexpr unsigned wideBits = 32, narrowBits = 16;

bool isWide(const llvm::Value& value) { return value.getType()->isIntegerTy(wideBits); }

/// Extended from so few bits, or i1.
bool isLeaf(const llvm::Value& value) {
  const auto* extension = llvm::dyn_cast<llvm::CastInst>(&value);
  return extension && llvm::isa<llvm::ZExtInst, llvm::SExtInst>(extension) && isWide(value) &&
         extension->getSrcTy()->isIntegerTy() && extension->getSrcTy()->getIntegerBitWidth() <= narrowBits;
}

/// An operation whose result in 16 bits is that in 32 bits, truncated, if operands and result fit 16 bits.
bool isOperation(const llvm::Value& value) {
  if (!isWide(value)) return false;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&value)) {
    switch (call->getIntrinsicID()) {
      case llvm::Intrinsic::abs:
      case llvm::Intrinsic::smin:
      case llvm::Intrinsic::smax:
      case llvm::Intrinsic::umin:
      case llvm::Intrinsic::umax: return true;
      default: return false;
    }
  }
  if (llvm::isa<llvm::SelectInst>(value)) return true;
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (!operation || operation->isIntDivRem()) return false;
  if (!operation->isShift()) return true;
  const auto* by = llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1));
  return by && by->getValue().ult(narrowBits);
}

/// The operands that belong to the expression: not the condition of a selection, what a shift is by, or a flag.
llvm::SmallVector<llvm::Use*, 2> operandsOf(llvm::Instruction& operation) {
  llvm::SmallVector<llvm::Use*, 2> operands;
  for (llvm::Use& operand : operation.operands())
    if (isWide(*operand) && !(operation.isShift() && operand.getOperandNo() == 1)) operands.push_back(&operand);
  return operands;
}

class Expression {
public:
  /// Everything that is connected with an operation; false if it has other uses or other operands.
  bool collect(llvm::Instruction& first) {
    llvm::SmallVector<llvm::Instruction*, 16> work{&first};
    while (!work.empty()) {
      llvm::Instruction* next = work.pop_back_val();
      if (!operations_.insert(next)) continue;
      if (operations_.size() > cost::tile::mostNarrowOperations) return false;
      if (!llvm::all_of(operandsOf(*next), [&](llvm::Use* operand) { return add(**operand, work); })) return false;
      if (!followUsers(*next, work)) return false;
    }
    return true;
  }

  /// Whether all values fit 16 bits, as numbers with a sign or, second choice, without.
  bool fits() {
    for (const llvm::Instruction* operation : operations_)
      if (!rangeOf(*operation)) return false;
    const auto all = [&](const llvm::ConstantRange& most) {
      const auto inside = [&](const llvm::Value* value) { return most.contains(*rangeOf(*value)); };
      return llvm::all_of(operations_, inside) && llvm::all_of(leaves_, inside) && llvm::all_of(constants(), inside);
    };
    isSigned_ = all(rangeBetween(-(1 << (narrowBits - 1)), (1 << (narrowBits - 1)) - 1));
    return isSigned_ || all(rangeBetween(0, (1 << narrowBits) - 1));
  }

  void rewrite() {
    for (llvm::CastInst* leaf : leaves_) {
      llvm::IRBuilder<> builder(leaf);
      llvm::Type* narrow = builder.getIntNTy(narrowBits);
      narrow_[leaf] = leaf->getOpcode() == llvm::Instruction::ZExt
                          ? builder.CreateZExt(leaf->getOperand(0), narrow, leaf->getName())
                          : builder.CreateSExt(leaf->getOperand(0), narrow, leaf->getName());
    }
    for (llvm::Instruction* operation : operations_) narrowed(*operation);
    for (llvm::Instruction* end : ends_) rewriteEnd(*end);
    for (llvm::Instruction* operation : operations_) operation->dropAllReferences();
    for (llvm::Instruction* operation : operations_) operation->eraseFromParent();
    for (llvm::CastInst* leaf : leaves_)
      if (leaf->use_empty()) leaf->eraseFromParent();
  }

  const llvm::SmallSetVector<llvm::Instruction*, 16>& operations() const { return operations_; }

private:
  /// Adds the users of an operation; false if one is neither an operation nor an end.
  bool followUsers(llvm::Instruction& operation, llvm::SmallVectorImpl<llvm::Instruction*>& work) {
    return llvm::all_of(operation.uses(), [&](llvm::Use& use) {
      auto& user = llvm::cast<llvm::Instruction>(*use.getUser());
      if (isOperation(user)) {
        work.push_back(&user);
        return llvm::is_contained(operandsOf(user), &use);
      }
      ends_.insert(&user);
      if (llvm::isa<llvm::TruncInst>(user)) return user.getType()->getIntegerBitWidth() <= narrowBits;
      return llvm::isa<llvm::ICmpInst>(user) &&
             llvm::all_of(user.operands(), [&](llvm::Use& side) { return add(*side, work); });
    });
  }

  /// Adds an operand; false if it does not fit the expression.
  bool add(llvm::Value& operand, llvm::SmallVectorImpl<llvm::Instruction*>& work) {
    if (llvm::isa<llvm::ConstantInt>(operand)) return true;
    if (isOperation(operand))
      work.push_back(llvm::cast<llvm::Instruction>(&operand));
    else if (isLeaf(operand))
      leaves_.insert(llvm::cast<llvm::CastInst>(&operand));
    else
      return false;
    return true;
  }

  llvm::SmallVector<const llvm::Value*, 8> constants() {
    llvm::SmallVector<const llvm::Value*, 8> found;
    const auto add = [&](const llvm::Use& operand) {
      if (llvm::isa<llvm::ConstantInt>(operand)) found.push_back(operand);
    };
    for (llvm::Instruction* operation : operations_)
      for (const llvm::Use* operand : operandsOf(*operation)) add(*operand);
    for (llvm::Instruction* end : ends_)
      if (llvm::isa<llvm::ICmpInst>(end)) llvm::for_each(end->operands(), add);
    return found;
  }

  static llvm::ConstantRange rangeBetween(std::int64_t least, std::int64_t most) {
    return llvm::ConstantRange::getNonEmpty(llvm::APInt(64, static_cast<std::uint64_t>(least), true),
                                            llvm::APInt(64, static_cast<std::uint64_t>(most), true) + 1);
  }

  /// The mathematical values of an operation, in 64 bits; nothing if they may exceed 32 bits, which would wrap.
  std::optional<llvm::ConstantRange> rangeOf(const llvm::Value& value) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value))
      return llvm::ConstantRange(constant->getValue().sext(64));
    if (const auto known = ranges_.find(&value); known != ranges_.end()) return known->second;
    ranges_.try_emplace(&value, std::nullopt);  // of a cycle nothing is known
    std::optional<llvm::ConstantRange> range;
    if (isLeaf(value)) {
      const auto& leaf = llvm::cast<llvm::CastInst>(value);
      const llvm::ConstantRange full = llvm::ConstantRange::getFull(leaf.getSrcTy()->getIntegerBitWidth());
      range = llvm::isa<llvm::ZExtInst>(leaf) ? full.zeroExtend(64) : full.signExtend(64);
    } else {
      range = computeRange(*llvm::cast<llvm::Instruction>(&value));
    }
    static const llvm::ConstantRange ints = rangeBetween(INT32_MIN, INT32_MAX);
    if (range && !ints.contains(*range)) range.reset();
    ranges_.insert_or_assign(&value, range);
    return range;
  }

  /// A number that is not below zero bounds what it is combined with.
  static std::optional<llvm::ConstantRange> rangeOfAnd(const llvm::ConstantRange& a, const llvm::ConstantRange& b) {
    if (!a.isAllNonNegative() && !b.isAllNonNegative()) return std::nullopt;
    const llvm::APInt most = !a.isAllNonNegative()   ? b.getSignedMax()
                             : !b.isAllNonNegative() ? a.getSignedMax()
                                                     : llvm::APIntOps::smin(a.getSignedMax(), b.getSignedMax());
    return llvm::ConstantRange::getNonEmpty(llvm::APInt(64, 0), most + 1);
  }

  std::optional<llvm::ConstantRange> computeRange(const llvm::Instruction& operation) {
    llvm::SmallVector<llvm::ConstantRange, 2> of;
    for (const llvm::Use* operand : operandsOf(const_cast<llvm::Instruction&>(operation))) {
      const auto range = rangeOf(**operand);
      if (!range) return std::nullopt;
      of.push_back(*range);
    }
    const bool isPositive = llvm::all_of(of, [](const llvm::ConstantRange& one) { return one.isAllNonNegative(); });
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&operation)) {
      switch (call->getIntrinsicID()) {
        case llvm::Intrinsic::abs: return of[0].abs();
        case llvm::Intrinsic::smin: return of[0].smin(of[1]);
        case llvm::Intrinsic::smax: return of[0].smax(of[1]);
        // Nothing is known of a number below zero, which is a large one here.
        case llvm::Intrinsic::umin: return isPositive ? std::optional(of[0].umin(of[1])) : std::nullopt;
        case llvm::Intrinsic::umax: return isPositive ? std::optional(of[0].umax(of[1])) : std::nullopt;
        default: return std::nullopt;
      }
    }
    if (llvm::isa<llvm::SelectInst>(operation)) return of[0].unionWith(of[1], llvm::ConstantRange::Signed);
    const auto by = operation.isShift()
                        ? static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(operation.getOperand(1))->getZExtValue())
                        : 0;
    const llvm::ConstantRange shift(llvm::APInt(64, by));
    switch (operation.getOpcode()) {
      case llvm::Instruction::Add: return of[0].add(of[1]);
      case llvm::Instruction::Sub: return of[0].sub(of[1]);
      case llvm::Instruction::Mul: return of[0].multiply(of[1]);
      case llvm::Instruction::Shl: return of[0].multiply(llvm::ConstantRange(llvm::APInt::getOneBitSet(64, by)));
      case llvm::Instruction::AShr: return of[0].ashr(shift);
      case llvm::Instruction::LShr: return isPositive ? std::optional(of[0].lshr(shift)) : std::nullopt;
      case llvm::Instruction::And: return rangeOfAnd(of[0], of[1]);
      case llvm::Instruction::Or: return isPositive ? std::optional(of[0].binaryOr(of[1])) : std::nullopt;
      case llvm::Instruction::Xor: return isPositive ? std::optional(of[0].binaryXor(of[1])) : std::nullopt;
      default: return std::nullopt;
    }
  }

  llvm::Value* narrowed(llvm::Value& value) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value))
      return llvm::ConstantInt::get(value.getContext(), constant->getValue().trunc(narrowBits));
    if (llvm::Value* known = narrow_.lookup(&value)) return known;
    auto& operation = llvm::cast<llvm::Instruction>(value);
    llvm::SmallVector<llvm::Value*, 2> of;
    for (llvm::Use* operand : operandsOf(operation)) of.push_back(narrowed(**operand));
    llvm::IRBuilder<> builder(&operation);
    llvm::Value* result = narrowOperation(operation, of, builder);
    if (!result->hasName() && !llvm::isa<llvm::Constant>(result)) result->takeName(&operation);
    return narrow_[&value] = result;
  }

  llvm::Value* narrowOperation(llvm::Instruction& operation, llvm::ArrayRef<llvm::Value*> of,
                               llvm::IRBuilder<>& builder) {
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&operation)) {
      switch (const llvm::Intrinsic::ID id = call->getIntrinsicID()) {
        case llvm::Intrinsic::abs:
          return isSigned_ ? builder.CreateBinaryIntrinsic(id, of[0], builder.getFalse()) : of[0];
        case llvm::Intrinsic::smin:
          return builder.CreateBinaryIntrinsic(isSigned_ ? id : llvm::Intrinsic::umin, of[0], of[1]);
        case llvm::Intrinsic::smax:
          return builder.CreateBinaryIntrinsic(isSigned_ ? id : llvm::Intrinsic::umax, of[0], of[1]);
        default: return builder.CreateBinaryIntrinsic(id, of[0], of[1]);
      }
    }
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&operation))
      return builder.CreateSelect(choice->getCondition(), of[0], of[1]);
    auto opcode = llvm::cast<llvm::BinaryOperator>(operation).getOpcode();
    if (opcode == llvm::Instruction::AShr && !isSigned_) opcode = llvm::Instruction::LShr;
    llvm::Value* second = operation.isShift() ? narrowed(*operation.getOperand(1)) : of[1];
    llvm::Value* result = builder.CreateBinOp(opcode, of[0], second);
    auto* made = llvm::dyn_cast<llvm::BinaryOperator>(result);
    if (made && llvm::isa<llvm::OverflowingBinaryOperator>(made)) {
      made->setHasNoSignedWrap(isSigned_);
      made->setHasNoUnsignedWrap(!isSigned_);
    }
    return result;
  }

  void rewriteEnd(llvm::Instruction& end) {
    llvm::IRBuilder<> builder(&end);
    llvm::Value* result;
    if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&end))
      result = builder.CreateICmp(isSigned_ ? comparison->getPredicate() : comparison->getUnsignedPredicate(),
                                  narrowed(*end.getOperand(0)), narrowed(*end.getOperand(1)));
    else
      result = builder.CreateTrunc(narrowed(*end.getOperand(0)), end.getType());
    if (!result->hasName() && !llvm::isa<llvm::Constant>(result)) result->takeName(&end);
    end.replaceAllUsesWith(result);
    end.eraseFromParent();
  }

  llvm::SmallSetVector<llvm::Instruction*, 16> operations_;
  llvm::SmallSetVector<llvm::CastInst*, 8> leaves_;
  llvm::SmallSetVector<llvm::Instruction*, 8> ends_;  ///< comparisons and truncations
  llvm::DenseMap<const llvm::Value*, std::optional<llvm::ConstantRange>> ranges_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> narrow_;
  bool isSigned_ = true;
};

}  // namespace

llvm::PreservedAnalyses NarrowArithmeticPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const VarianceInfo& variance = analyses.getResult<VarianceAnalysis>(function);
  llvm::SmallPtrSet<const llvm::Instruction*, 32> seen;
  std::vector<Expression> expressions;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!isOperation(instruction) || seen.contains(&instruction) || variance.uniform(instruction)) continue;
    Expression expression;
    const bool isNarrow = expression.collect(instruction) && expression.fits();
    seen.insert(expression.operations().begin(), expression.operations().end());
    if (isNarrow) expressions.push_back(std::move(expression));
  }
  for (Expression& expression : expressions) expression.rewrite();
  return sameControlFlow(!expressions.empty());
}

}  // namespace clarity::compiler
