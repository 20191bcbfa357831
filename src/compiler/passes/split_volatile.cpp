// SPDX-License-Identifier: Apache-2.0
// This file finds volatile accesses to vectors, and writes those to their elements.
#include "compiler/passes/split_volatile.h"

#include "compiler/transforms/preserved.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

/// The type of a vector whose elements have addresses of their own; null for all other types.
llvm::FixedVectorType* splitType(llvm::Type* type, const llvm::DataLayout& layout) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && layout.typeSizeEqualsStoreSize(vector->getElementType()) ? vector : nullptr;
}

/// The places of the elements of a vector in memory.
class ElementPlaces {
public:
  ElementPlaces(llvm::IRBuilder<>& builder, llvm::FixedVectorType& type, llvm::Value& pointer, llvm::Align align)
      : builder_(builder),
        type_(type),
        pointer_(pointer),
        align_(align),
        bytes_(builder.GetInsertBlock()->getDataLayout().getTypeStoreSize(type.getElementType()).getFixedValue()) {}

  llvm::Value* at(unsigned element) const {
    return element == 0 ? &pointer_ : builder_.CreateConstInBoundsGEP1_64(type_.getElementType(), &pointer_, element);
  }
  llvm::Align alignOf(unsigned element) const { return llvm::commonAlignment(align_, element * bytes_); }

private:
  llvm::IRBuilder<>& builder_;
  llvm::FixedVectorType& type_;
  llvm::Value& pointer_;
  llvm::Align align_;
  std::uint64_t bytes_;
};

void copyProperties(llvm::Instruction& element, const llvm::Instruction& vector) {
  element.copyMetadata(vector, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                                llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_access_group});
}

void split(llvm::LoadInst& load, llvm::FixedVectorType& type) {
  llvm::IRBuilder<> builder(&load);
  const ElementPlaces places(builder, type, *load.getPointerOperand(), load.getAlign());
  llvm::Value* loaded = llvm::PoisonValue::get(&type);
  for (unsigned i = 0; i < type.getNumElements(); ++i) {
    llvm::LoadInst* element =
        builder.CreateAlignedLoad(type.getElementType(), places.at(i), places.alignOf(i), /*isVolatile=*/true);
    copyProperties(*element, load);
    loaded = builder.CreateInsertElement(loaded, element, i);
  }
  load.replaceAllUsesWith(loaded);
  load.eraseFromParent();
}

void split(llvm::StoreInst& store, llvm::FixedVectorType& type) {
  llvm::IRBuilder<> builder(&store);
  const ElementPlaces places(builder, type, *store.getPointerOperand(), store.getAlign());
  for (unsigned i = 0; i < type.getNumElements(); ++i) {
    llvm::Value* value = builder.CreateExtractElement(store.getValueOperand(), i);
    copyProperties(*builder.CreateAlignedStore(value, places.at(i), places.alignOf(i), /*isVolatile=*/true), store);
  }
  store.eraseFromParent();
}

/// Whether an iteration of the innermost loops does without what is in a block: it lies beside these loops, or a branch
/// leads around it.
bool isRare(const llvm::BasicBlock& block, unsigned deepest, const llvm::LoopInfo& loops,
            const llvm::DominatorTree& dominators) {
  const llvm::Loop* const loop = loops.getLoopFor(&block);
  if (!loop || loop->getLoopDepth() < deepest) return true;
  const llvm::BasicBlock* const latch = loop->getLoopLatch();
  return latch && !dominators.dominates(&block, latch);
}

}  // namespace

llvm::PreservedAnalyses SplitVolatilePass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const llvm::DataLayout& layout = function.getDataLayout();
  llvm::SmallVector<llvm::Instruction*, 8> accesses;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (instruction.isVolatile() && !instruction.isAtomic() && llvm::getLoadStorePointerOperand(&instruction) &&
        splitType(llvm::getLoadStoreType(&instruction), layout))
      accesses.push_back(&instruction);
  if (accesses.empty()) return llvm::PreservedAnalyses::all();

  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  unsigned deepest = 0;
  for (const llvm::BasicBlock& block : function) deepest = std::max(deepest, loops.getLoopDepth(&block));
  if (!llvm::all_of(accesses, [&](const llvm::Instruction* access) {
        return isRare(*access->getParent(), deepest, loops, dominators);
      }))
    return llvm::PreservedAnalyses::all();

  for (llvm::Instruction* access : accesses) {
    llvm::FixedVectorType* type = splitType(llvm::getLoadStoreType(access), layout);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(access))
      split(*load, *type);
    else
      split(llvm::cast<llvm::StoreInst>(*access), *type);
  }
  return sameControlFlow(true);
}

}  // namespace clarity::compiler
