// SPDX-License-Identifier: Apache-2.0
// This file finds arithmetic in the upper halves of words of 64 bits.
#include "compiler/nvptx/plain_indices.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace clarity::compiler::nvptx {
namespace {

constexpr unsigned halfWord = 32;
/// Of sums that are looked through.
constexpr unsigned mostSumDepth = 8;

/// Whether a value of 64 bits is arithmetic in its upper half: shifted there, its lower half is 0.
bool isInUpperHalf(llvm::Value& value, unsigned depth = 0) {
  using namespace llvm::PatternMatch;
  std::uint64_t bits = 0;
  if (match(&value, m_Shl(m_Value(), m_ConstantInt(bits)))) return bits >= halfWord;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return constant->getValue().countr_zero() >= halfWord;
  llvm::Value *left = nullptr, *right = nullptr;
  const bool isSum =
      match(&value, m_Add(m_Value(left), m_Value(right))) || match(&value, m_Sub(m_Value(left), m_Value(right)));
  return isSum && depth < mostSumDepth && isInUpperHalf(*left, depth + 1) && isInUpperHalf(*right, depth + 1);
}

llvm::Value* upperHalf(llvm::Value& value, llvm::IRBuilder<>& builder) {
  using namespace llvm::PatternMatch;
  llvm::Value *left = nullptr, *right = nullptr;
  std::uint64_t bits = 0;
  llvm::Type* const narrow = builder.getInt32Ty();
  if (match(&value, m_Shl(m_Value(left), m_ConstantInt(bits))))
    return builder.CreateShl(builder.CreateTrunc(left, narrow), bits - halfWord);
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return llvm::ConstantInt::get(narrow, constant->getValue().extractBits(halfWord, halfWord));
  if (match(&value, m_Add(m_Value(left), m_Value(right))))
    return builder.CreateAdd(upperHalf(*left, builder), upperHalf(*right, builder));
  auto& difference = llvm::cast<llvm::BinaryOperator>(value);
  return builder.CreateSub(upperHalf(*difference.getOperand(0), builder),
                           upperHalf(*difference.getOperand(1), builder));
}

llvm::Value* plain(llvm::Instruction& instruction, llvm::IRBuilder<>& builder) {
  using namespace llvm::PatternMatch;
  llvm::Value* value = nullptr;
  std::uint64_t bits = 0;
  llvm::Type* const type = instruction.getType();
  if (match(&instruction, m_Not(m_Value(value))) && (type->isIntegerTy(32) || type->isIntegerTy(64)))
    return builder.CreateSub(llvm::Constant::getAllOnesValue(type), value, "", false, true);
  if (!type->isIntegerTy(64) || !match(&instruction, m_AShr(m_Value(value), m_ConstantInt(bits))) || bits == 0 ||
      bits > halfWord || !isInUpperHalf(*value))
    return nullptr;
  return builder.CreateShl(builder.CreateSExt(upperHalf(*value, builder), type), halfWord - bits, "", false, true);
}

}  // namespace

llvm::PreservedAnalyses PlainIndicesPass::run(llvm::Function& kernel, llvm::FunctionAnalysisManager&) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    llvm::IRBuilder<> builder(&instruction);
    llvm::Value* const same = plain(instruction, builder);
    if (!same) continue;
    instruction.replaceAllUsesWith(same);
    instruction.eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler::nvptx
