// SPDX-License-Identifier: Apache-2.0
// This file finds shifted 64-bit products of 16-bit numbers that are cut to 16 bits again.
#include "compiler/workarounds/narrow_products.h"

#include "compiler/transforms/preserved.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace clarity::compiler {
namespace {

using namespace llvm::PatternMatch;

/// Whether elements are signed numbers of 16 bits.
bool isShort(const llvm::Value* value, const llvm::DataLayout& layout) {
  return llvm::ComputeNumSignBits(value, layout) + 15 >= value->getType()->getScalarSizeInBits();
}

bool isMistaken(const llvm::TruncInst& cut) {
  const llvm::Value *left, *right;
  const llvm::APInt* bits;
  if (!cut.getType()->isVectorTy() || !cut.getType()->getScalarType()->isIntegerTy(16) ||
      cut.getSrcTy()->getScalarSizeInBits() <= 32)
    return false;
  if (!match(cut.getOperand(0), m_Shr(m_Mul(m_Value(left), m_Value(right)), m_APInt(bits))) || bits->ule(16))
    return false;
  const llvm::DataLayout& layout = cut.getDataLayout();
  return isShort(left, layout) && isShort(right, layout);
}

}  // namespace

llvm::PreservedAnalyses NarrowProductsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* cut = llvm::dyn_cast<llvm::TruncInst>(&instruction);
    if (!cut || !isMistaken(*cut)) continue;
    const auto* wide = llvm::cast<llvm::FixedVectorType>(cut->getSrcTy());
    const int parts = static_cast<int>(wide->getScalarSizeInBits() / 16);
    llvm::SmallVector<int, 16> lowest;
    for (int element = 0; element < static_cast<int>(wide->getNumElements()); ++element)
      lowest.push_back(element * parts);
    llvm::IRBuilder<> builder(cut);
    llvm::Value* all = builder.CreateBitCast(
        cut->getOperand(0),
        llvm::FixedVectorType::get(builder.getInt16Ty(), wide->getNumElements() * static_cast<unsigned>(parts)));
    llvm::Value* picked = builder.CreateShuffleVector(all, lowest);
    picked->takeName(cut);
    cut->replaceAllUsesWith(picked);
    cut->eraseFromParent();
    changed = true;
  }
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
