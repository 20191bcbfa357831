// SPDX-License-Identifier: Apache-2.0
// This file divides expressions by 2^32.
#include "compiler/passes/narrow_indices.h"

#include "compiler/analysis/variance.h"
#include "compiler/primitives.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

namespace clarity::compiler {
namespace {

llvm::Value* scaled(llvm::Value* value, std::uint64_t bits, llvm::IRBuilder<>& builder) { return bits ? builder.CreateShl(value, bits) : value; }

/// An id as WorkItemLoopsPass makes it with 32-bit counters: below 2^31.
bool isNarrowId(const llvm::Value& value) {
  using namespace llvm::PatternMatch;
  const auto isCounter = [](const llvm::Value* candidate) {
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(candidate);
    return phi && phi->getMetadata(counterMetadata);
  };
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&value)) return primitiveOf(*call) == Primitive::GlobalId || primitiveOf(*call) == Primitive::LocalId;
  llvm::Value *id, *left, *right;
  if (!match(&value, m_ZExt(m_Value(id))) || !id->getType()->isIntegerTy(32)) return false;
  return isCounter(id) || (match(id, m_NUWAdd(m_Value(left), m_Value(right))) && (isCounter(left) || isCounter(right)));
}

/// A constant, or an id cut to int.
bool isSmall(llvm::Value& value) {
  using namespace llvm::PatternMatch;
  llvm::Value* id;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) return constant->getValue().abs().ult(std::uint64_t{1} << 28);
  return match(&value, m_Trunc(m_Value(id))) && isNarrowId(*id);
}

/// The 32-bit value whose 2^32-fold a 64-bit expression is; nullptr if that cannot be seen.
llvm::Value* narrowed(llvm::Value* wide, llvm::IRBuilder<>& builder, unsigned depth = 0) {
  using namespace llvm::PatternMatch;
  llvm::Value *left, *right;
  const llvm::APInt* constant;
  if (depth > 6) return nullptr;
  if (match(wide, m_APInt(constant))) return constant->countr_zero() >= 32 ? builder.getInt32(static_cast<std::uint32_t>(constant->lshr(32).getZExtValue())) : nullptr;
  if (match(wide, m_Shl(m_Value(left), m_APInt(constant))) && constant->uge(32) && constant->ult(64))
    return scaled(builder.CreateTrunc(left, builder.getInt32Ty()), constant->getZExtValue() - 32, builder);
  if (match(wide, m_Mul(m_Value(left), m_APInt(constant))) && constant->countr_zero() >= 32)
    return builder.CreateMul(builder.CreateTrunc(left, builder.getInt32Ty()), builder.getInt32(static_cast<std::uint32_t>(constant->lshr(32).getZExtValue())));
  const bool isAdd = match(wide, m_Add(m_Value(left), m_Value(right)));
  if (!isAdd && !match(wide, m_Sub(m_Value(left), m_Value(right)))) return nullptr;
  llvm::Value* first = narrowed(left, builder, depth + 1);
  llvm::Value* second = first ? narrowed(right, builder, depth + 1) : nullptr;
  if (!second) return nullptr;
  // Ids and small constants stay far below the sign; what else is added may be a uint that wraps.
  const bool small = isSmall(*first) && isSmall(*second);
  return isAdd ? builder.CreateAdd(first, second, "", false, small) : builder.CreateSub(first, second, "", false, small);
}

}  // namespace

llvm::PreservedAnalyses NarrowIndicesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  using namespace llvm::PatternMatch;
  bool changed = false;
  llvm::SmallVector<llvm::WeakTrackingVH, 16> replaced;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!instruction.getType()->isIntegerTy(64)) continue;
    llvm::IRBuilder<> builder(&instruction);
    llvm::Value* wide;
    llvm::Value* means = nullptr;
    std::uint64_t back;
    if (match(&instruction, m_AShr(m_Value(wide), m_ConstantInt(back))) && back <= 32) {
      if (llvm::Value* narrow = narrowed(wide, builder)) means = scaled(builder.CreateSExt(narrow, builder.getInt64Ty()), 32 - back, builder);
    } else if (match(&instruction, m_And(m_Value(wide), m_SpecificInt(0xffffffff)))) {
      means = builder.CreateZExt(builder.CreateTrunc(wide, builder.getInt32Ty()), builder.getInt64Ty());
    }
    if (match(&instruction, m_And(m_Value(wide), m_SpecificInt(0x7fffffff))) && isNarrowId(*wide)) means = wide;
    if (!means) continue;
    instruction.replaceAllUsesWith(means);
    replaced.emplace_back(&instruction);
    changed = true;
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::RecursivelyDeleteTriviallyDeadInstructions(replaced);
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}


}  // namespace clarity::compiler
