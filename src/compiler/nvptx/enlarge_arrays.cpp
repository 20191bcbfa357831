// SPDX-License-Identifier: Apache-2.0
// This file finds small private arrays whose indices are known at run time only.
#include "compiler/nvptx/enlarge_arrays.h"

#include "compiler/ir/cost_model.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace clarity::compiler::nvptx {
namespace {

/// Whether an address of the array in a loop has an index that is no constant.
bool isIndexedInLoop(const llvm::Value& pointer, const llvm::LoopInfo& loops) {
  return std::ranges::any_of(pointer.users(), [&](const llvm::User* user) {
    const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
    if (!address) return llvm::isa<llvm::AddrSpaceCastInst>(user) && isIndexedInLoop(*user, loops);
    if (!address->hasAllConstantIndices() && loops.getLoopFor(address->getParent())) return true;
    return isIndexedInLoop(*address, loops);
  });
}

}  // namespace

llvm::PreservedAnalyses EnlargeArraysPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  const llvm::DataLayout& layout = function.getDataLayout();
  llvm::SmallVector<llvm::AllocaInst*, 4> arrays;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction); slot && slot->isStaticAlloca()) {
      const auto bytes = slot->getAllocationSize(layout);
      if (bytes && !bytes->isScalable() && bytes->getFixedValue() <= cost::mostArrayInRegisters &&
          isIndexedInLoop(*slot, loops))
        arrays.push_back(slot);
    }
  for (llvm::AllocaInst* array : arrays) {
    llvm::IRBuilder<> builder(array);
    auto* larger = builder.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), cost::leastArrayInMemory),
                                        array->getAddressSpace(), nullptr);
    larger->setAlignment(array->getAlign());
    larger->takeName(array);
    array->replaceAllUsesWith(larger);
    array->eraseFromParent();
  }
  if (arrays.empty()) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace clarity::compiler::nvptx
