// SPDX-License-Identifier: Apache-2.0
// This file selects among the components of vectors.
#include "compiler/nvptx/choose_components.h"

#include "compiler/transforms/preserved.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace clarity::compiler::nvptx {
namespace {

/// The number of components if the index is not constant; 0 otherwise.
unsigned countOf(const llvm::Value& vector, const llvm::Value& index) {
  const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(vector.getType());
  return type && !llvm::isa<llvm::Constant>(index) ? type->getNumElements() : 0;
}

/// Halves the candidates by one bit of the index after the other: an index that is too large means poison, and may
/// choose any component. Null if the index is constant.
llvm::Value* read(llvm::ExtractElementInst& extract) {
  llvm::IRBuilder<> builder(&extract);
  llvm::Value* const vector = extract.getVectorOperand();
  llvm::Value* const index = extract.getIndexOperand();
  const unsigned count = countOf(*vector, *index);
  if (count == 0) return nullptr;
  llvm::SmallVector<llvm::Value*, 16> candidates;
  for (unsigned i = 0; i < count; ++i) candidates.push_back(builder.CreateExtractElement(vector, std::uint64_t{i}));
  for (std::uint64_t bit = 1; candidates.size() > 1; bit *= 2) {
    llvm::Value* const isSet =
        builder.CreateIsNotNull(builder.CreateAnd(index, llvm::ConstantInt::get(index->getType(), bit)));
    const std::size_t pairs = candidates.size() / 2;
    for (std::size_t i = 0; i < pairs; ++i)
      candidates[i] = builder.CreateSelect(isSet, candidates[2 * i + 1], candidates[2 * i]);
    if (candidates.size() % 2 != 0) candidates[pairs] = candidates.back();
    candidates.truncate((candidates.size() + 1) / 2);
  }
  return candidates[0];
}

/// Null if the index is constant.
llvm::Value* replace(llvm::InsertElementInst& insert) {
  llvm::IRBuilder<> builder(&insert);
  llvm::Value* const vector = insert.getOperand(0);
  llvm::Value* const index = insert.getOperand(2);
  const unsigned count = countOf(*vector, *index);
  if (count == 0) return nullptr;
  llvm::Value* result = vector;
  for (std::uint64_t i = 0; i < count; ++i) {
    llvm::Value* const isMeant = builder.CreateICmpEQ(index, llvm::ConstantInt::get(index->getType(), i));
    llvm::Value* const component =
        builder.CreateSelect(isMeant, insert.getOperand(1), builder.CreateExtractElement(vector, i));
    result = builder.CreateInsertElement(result, component, i);
  }
  return result;
}

}  // namespace

llvm::PreservedAnalyses ChooseComponentsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    llvm::Value* chosen = nullptr;
    if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) chosen = read(*extract);
    if (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) chosen = replace(*insert);
    if (!chosen) continue;
    chosen->takeName(&instruction);
    instruction.replaceAllUsesWith(chosen);
    instruction.eraseFromParent();
    changed = true;
  }
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler::nvptx
