// SPDX-License-Identifier: Apache-2.0
// This file finds the four products among what a sum adds.
#include "compiler/nvptx/dot_products.h"

#include "compiler/guard/limits.h"
#include "compiler/ir/cost_model.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/PatternMatch.h>

#include <functional>
#include <optional>
#include <utility>

namespace clarity::compiler::nvptx {
namespace {

constexpr unsigned bytesOfWord = 4, allBytes = (1u << bytesOfWord) - 1;

/// One side of a product: vectors of four bytes.
struct Factor {
  llvm::Value* bytes = nullptr;
  bool isSigned = false;
  bool operator==(const Factor&) const = default;
};

/// Products of elements of two vectors, in an order of the factors that is the same for all.
struct Products {
  Factor one, other;
  unsigned which = 0;  ///< a bit for each element
};

/// An addend of a sum: some products, or anything else.
struct Addend {
  llvm::Value* value;  ///< nullptr: of four products that are part of a vector's element
  std::optional<Products> products;
};

bool isBytesOfWord(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && vector->getNumElements() == bytesOfWord && vector->getElementType()->isIntegerTy(8);
}

Products productsOf(Factor one, Factor other, unsigned which) {
  if (std::less<>()(other.bytes, one.bytes)) std::swap(one, other);
  return {one, other, which};
}

/// `value` extended from bytes to words: a vector of them, or an element of one.
std::optional<Factor> factorOf(llvm::Value& value, unsigned& element) {
  auto* extension = llvm::dyn_cast<llvm::CastInst>(&value);
  if (!extension || !llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extension)) return std::nullopt;
  llvm::Value* bytes = extension->getOperand(0);
  if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(bytes)) {
    const auto* index = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
    if (!index || index->getZExtValue() >= bytesOfWord) return std::nullopt;
    element = static_cast<unsigned>(index->getZExtValue());
    bytes = extract->getVectorOperand();
  }
  if (!isBytesOfWord(bytes->getType())) return std::nullopt;
  return Factor{bytes, llvm::isa<llvm::SExtInst>(extension)};
}

std::optional<Products> productsOfVectors(llvm::Value& value, unsigned which) {
  using namespace llvm::PatternMatch;
  llvm::Value *one = nullptr, *other = nullptr;
  unsigned none = 0;
  if (!match(&value, m_Mul(m_Value(one), m_Value(other))) || !value.getType()->isVectorTy()) return std::nullopt;
  const auto first = factorOf(*one, none), second = factorOf(*other, none);
  if (!first || !second) return std::nullopt;
  return productsOf(*first, *second, which);
}

/// Products of words.
std::optional<Products> productsOf(llvm::Value& value) {
  using namespace llvm::PatternMatch;
  llvm::Value *one = nullptr, *other = nullptr;
  if (match(&value, m_Intrinsic<llvm::Intrinsic::vector_reduce_add>(m_Value(one))))
    return productsOfVectors(*one, allBytes);
  if (!match(&value, m_Mul(m_Value(one), m_Value(other)))) return std::nullopt;
  unsigned place = 0, otherPlace = 0;
  const auto first = factorOf(*one, place), second = factorOf(*other, otherPlace);
  if (!first || !second || place != otherPlace) return std::nullopt;
  return productsOf(*first, *second, 1u << place);
}

/// The products that an element of a vector is the sum of: the optimiser adds whole vectors, whose elements it has
/// moved to one place. False if it is the sum of something else, too.
bool addElement(llvm::Value& vector, std::uint64_t element, llvm::SmallVectorImpl<Addend>& addends) {
  using namespace llvm::PatternMatch;
  llvm::Value *one = nullptr, *other = nullptr;
  llvm::ArrayRef<int> places;
  if (addends.size() > cost::search::dotAddends) return false;
  if (match(&vector, m_Add(m_Value(one), m_Value(other))))
    return addElement(*one, element, addends) && addElement(*other, element, addends);
  if (match(&vector, m_Shuffle(m_Value(one), m_Value(other), m_Mask(places)))) {
    if (element >= places.size()) return false;  // poison
    const auto elements = llvm::cast<llvm::FixedVectorType>(one->getType())->getNumElements();
    const int place = places[element];
    return place >= 0 && place < static_cast<int>(elements) &&
           addElement(*one, static_cast<std::uint64_t>(place), addends);
  }
  if (element >= bytesOfWord) return false;
  const auto products = productsOfVectors(vector, 1u << element);
  if (products) addends.push_back({nullptr, products});
  return products.has_value();
}

bool isSum(const llvm::Value& value) {
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  return operation && operation->getOpcode() == llvm::Instruction::Add && operation->getType()->isIntegerTy(32);
}

/// Whether a sum is only part of another one.
bool isPartOfSum(const llvm::Instruction& sum) { return sum.hasOneUse() && isSum(*sum.user_back()); }

/// Takes four products of the same vectors out of `addends`.
std::optional<Products> takeFour(llvm::SmallVectorImpl<Addend>& addends) {
  for (std::size_t from = 0; from < addends.size(); ++from) {
    if (!addends[from].products) continue;
    Products all = *addends[from].products;
    llvm::SmallVector<std::size_t, bytesOfWord> places{from};
    for (std::size_t i = from + 1; i < addends.size() && all.which != allBytes; ++i) {
      const auto& more = addends[i].products;
      if (!more || more->one != all.one || more->other != all.other || (more->which & all.which) != 0) continue;
      all.which |= more->which;
      places.push_back(i);
    }
    if (all.which != allBytes) continue;
    for (const std::size_t place : llvm::reverse(places)) addends.erase(addends.begin() + place);
    return all;
  }
  return std::nullopt;
}

/// `depth`: sums around `value`. More addends than there may be if a sum is deeper than that many could make it.
void addendsOf(llvm::Value& value, std::size_t depth, llvm::SmallVectorImpl<Addend>& addends) {
  using namespace llvm::PatternMatch;
  if (addends.size() > cost::search::dotAddends) return;
  if (isSum(value) && (depth == 0 || value.hasOneUse())) {
    if (depth > cost::search::dotAddends) return addends.resize(cost::search::dotAddends + 1);
    for (llvm::Value* operand : llvm::cast<llvm::User>(value).operand_values()) addendsOf(*operand, depth + 1, addends);
    return;
  }
  llvm::Value* vector = nullptr;
  std::uint64_t element = 0;
  llvm::SmallVector<Addend, 8> parts;
  if (match(&value, m_ExtractElt(m_Value(vector), m_ConstantInt(element))) && addElement(*vector, element, parts)) {
    if (parts.size() == 1) return addends.push_back({&value, parts.front().products});
    llvm::SmallVector<Addend, 2> fours;
    while (const auto four = takeFour(parts)) fours.push_back({nullptr, *four});
    if (parts.empty()) return llvm::append_range(addends, fours);
  }
  addends.push_back({&value, productsOf(value)});
}

llvm::Intrinsic::ID instructionFor(const Products& products) {
  if (products.one.isSigned)
    return products.other.isSigned ? llvm::Intrinsic::nvvm_idp4a_s_s : llvm::Intrinsic::nvvm_idp4a_s_u;
  return products.other.isSigned ? llvm::Intrinsic::nvvm_idp4a_u_s : llvm::Intrinsic::nvvm_idp4a_u_u;
}

bool joinProducts(llvm::Instruction& sum) {
  llvm::SmallVector<Addend, 8> addends;
  addendsOf(sum, 0, addends);
  if (addends.size() > cost::search::dotAddends) return false;
  llvm::SmallVector<Products, 2> found;
  while (const auto four = takeFour(addends)) found.push_back(*four);
  if (found.empty()) return false;
  llvm::IRBuilder<> builder(&sum);
  llvm::Value* total = nullptr;
  for (const Addend& addend : addends) total = total ? builder.CreateAdd(total, addend.value) : addend.value;
  if (!total) total = builder.getInt32(0);
  const auto word = [&](const Factor& factor) { return builder.CreateBitCast(factor.bytes, builder.getInt32Ty()); };
  for (const Products& each : found)
    total =
        builder.CreateIntrinsic(builder.getInt32Ty(), instructionFor(each), {word(each.one), word(each.other), total});
  sum.replaceAllUsesWith(total);
  return true;
}

}  // namespace

llvm::PreservedAnalyses DotProductsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::Instruction*, 8> sums;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    const bool isOfVector = llvm::isa<llvm::ExtractElementInst>(instruction) ||
                            (call && call->getIntrinsicID() == llvm::Intrinsic::vector_reduce_add);
    if ((isSum(instruction) || (isOfVector && instruction.getType()->isIntegerTy(32))) && !isPartOfSum(instruction))
      sums.push_back(&instruction);
  }
  bool changed = false;
  for (llvm::Instruction* sum : sums) {
    checkLimits();
    changed |= joinProducts(*sum);
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace clarity::compiler::nvptx
