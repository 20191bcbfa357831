// SPDX-License-Identifier: Apache-2.0
// This file expands integer operations into sums of products.
#include "compiler/analysis/polynomial.h"

#include "compiler/analysis/no_wrap.h"
#include "compiler/ir/cost_model.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

#include <cstdlib>
#include <utility>

namespace clarity::compiler {
namespace {

using Sum = std::optional<Polynomial>;

Polynomial constantSum(std::int64_t value) {
  Polynomial sum;
  sum.constant = value;
  return sum;
}

Polynomial valueSum(llvm::Value& value) {
  Polynomial sum;
  sum.terms.push_back({{&value}, 1});
  return sum;
}

bool haveSameFactors(const Polynomial::Term& a, const Polynomial::Term& b) {
  return a.factors.size() == b.factors.size() &&
         std::is_permutation(a.factors.begin(), a.factors.end(), b.factors.begin());
}

/// `a + factor * b`.
Sum sumOf(const Polynomial& a, const Polynomial& b, std::int64_t factor) {
  Polynomial sum = a;
  std::int64_t multiple = 0;
  if (llvm::MulOverflow(b.constant, factor, multiple) || llvm::AddOverflow(sum.constant, multiple, sum.constant))
    return std::nullopt;
  for (const Polynomial::Term& term : b.terms) {
    if (llvm::MulOverflow(term.coefficient, factor, multiple)) return std::nullopt;
    auto* const same = llvm::find_if(sum.terms, [&](const auto& other) { return haveSameFactors(other, term); });
    if (same == sum.terms.end())
      sum.terms.push_back({term.factors, multiple});
    else if (llvm::AddOverflow(same->coefficient, multiple, same->coefficient))
      return std::nullopt;
  }
  llvm::erase_if(sum.terms, [](const Polynomial::Term& term) { return term.coefficient == 0; });
  if (sum.terms.size() > cost::search::polynomialTerms) return std::nullopt;
  return sum;
}

Sum productOf(const Polynomial& a, const Polynomial& b) {
  auto product = sumOf(Polynomial(), b, a.constant);
  for (const Polynomial::Term& term : a.terms) {
    if (!product) return std::nullopt;
    product = sumOf(*product, Polynomial{{term}, 0}, b.constant);
    for (const Polynomial::Term& other : b.terms) {
      Polynomial one;
      one.terms.push_back(term);
      one.terms[0].factors.append(other.factors);
      if (!product || one.terms[0].factors.size() > cost::search::polynomialDegree) return std::nullopt;
      product = sumOf(*product, one, other.coefficient);
    }
  }
  return product;
}

class Expander {
public:
  explicit Expander(Numbers numbers) : numbers_(numbers) {}

  Sum of(llvm::Value& value, unsigned depth = 0) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) return ofConstant(*constant);
    auto* const operation = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!operation || depth > cost::search::affineDepth) return valueSum(value);
    if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(operation))
      return isExact(*cast, numbers_) ? of(*cast->getOperand(0), depth + 1) : valueSum(value);
    const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(operation);
    if (!binary || !isExact(*binary, numbers_)) return valueSum(value);
    const auto left = of(*binary->getOperand(0), depth + 1);
    const auto right = of(*binary->getOperand(1), depth + 1);
    return left && right ? combined(*binary, *left, *right) : std::nullopt;
  }

private:
  Sum ofConstant(const llvm::ConstantInt& constant) const {
    if (constant.getBitWidth() > 64) return std::nullopt;
    if (numbers_ != Numbers::Unsigned) return constantSum(constant.getSExtValue());
    const std::uint64_t value = constant.getZExtValue();
    return llvm::isUInt<63>(value) ? Sum(constantSum(static_cast<std::int64_t>(value))) : std::nullopt;
  }

  static Sum combined(const llvm::BinaryOperator& operation, const Polynomial& left, const Polynomial& right) {
    switch (operation.getOpcode()) {
      case llvm::Instruction::Add:
      case llvm::Instruction::Or: return sumOf(left, right, 1);
      case llvm::Instruction::Sub: return sumOf(left, right, -1);
      case llvm::Instruction::Mul: return productOf(left, right);
      case llvm::Instruction::Shl: return sumOf(Polynomial(), left, std::int64_t{1} << right.constant);
      default: return std::nullopt;
    }
  }

  const Numbers numbers_;
};

/// Whether a cast gives the number that it is given.
bool isExactCast(const llvm::CastInst& cast, Numbers numbers) {
  const llvm::Type& type = *cast.getType();
  if (numbers == Numbers::Modular || !type.isIntegerTy()) return false;
  const bool isSigned = numbers == Numbers::Signed;
  switch (cast.getOpcode()) {
    case llvm::Instruction::SExt: return isSigned;
    case llvm::Instruction::ZExt: return !isSigned || cast.hasNonNeg();
    case llvm::Instruction::Trunc: {
      const auto* cut = llvm::cast<llvm::TruncInst>(&cast);
      if (isSigned ? cut->hasNoSignedWrap() : cut->hasNoUnsignedWrap()) return true;
      const unsigned bits = type.getIntegerBitWidth() - (isSigned ? 1 : 0);
      return valuesOf(*cast.getOperand(0)).getUnsignedMax().isIntN(bits);
    }
    default: return false;
  }
}

}  // namespace

bool isExact(const llvm::Instruction& operation, Numbers numbers) {
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&operation)) return isExactCast(*cast, numbers);
  if (!operation.getType()->isIntegerTy()) return false;
  switch (operation.getOpcode()) {
    case llvm::Instruction::Or: return llvm::cast<llvm::PossiblyDisjointInst>(operation).isDisjoint();
    case llvm::Instruction::Shl: {
      const auto* by = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
      if (!by || by->getValue().uge(std::min(62u, operation.getType()->getIntegerBitWidth() - 1))) return false;
      break;
    }
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul: break;
    default: return false;
  }
  if (numbers == Numbers::Modular) return true;
  if (numbers == Numbers::Signed ? operation.hasNoSignedWrap() : operation.hasNoUnsignedWrap()) return true;
  return neverWraps(operation);
}

std::optional<Polynomial> polynomialOf(llvm::Value& value, Numbers numbers) { return Expander(numbers).of(value); }

std::optional<Polynomial> differenceOf(const Polynomial& a, const Polynomial& b) { return sumOf(a, b, -1); }

bool hasRoomIn64(const Polynomial& sum) {
  constexpr std::int64_t few = 1 << 16;
  unsigned products = 0;
  for (const Polynomial::Term& term : sum.terms) {
    if (term.coefficient > few || term.coefficient < -few || term.factors.size() > 2) return false;
    if (term.factors.size() == 2 && (++products > 1 || std::abs(term.coefficient) > 1)) return false;
  }
  return std::abs(sum.constant) <= std::int64_t{1} << 40;
}

}  // namespace clarity::compiler
