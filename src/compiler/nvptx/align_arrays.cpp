// SPDX-License-Identifier: Apache-2.0
// This file aligns private arrays and accesses to them.
#include "compiler/nvptx/align_arrays.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/Alignment.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>

namespace clarity::compiler::nvptx {
namespace {

/// The most that a thread accesses at once.
constexpr std::uint64_t bytesOfAccess = 16;

bool isArray(const llvm::Value& object, const llvm::DataLayout& layout) {
  const auto* const array = llvm::dyn_cast<llvm::AllocaInst>(&object);
  if (!array || !array->isStaticAlloca()) return false;
  const auto bytes = array->getAllocationSize(layout);
  return bytes && !bytes->isScalable() && bytes->getFixedValue() >= bytesOfAccess;
}

}  // namespace

llvm::PreservedAnalyses AlignArraysPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const llvm::Align most(bytesOfAccess);
  const llvm::DataLayout& layout = function.getDataLayout();
  bool hasArrays = false;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (isArray(instruction, layout)) {
      auto& array = llvm::cast<llvm::AllocaInst>(instruction);
      array.setAlignment(std::max(array.getAlign(), most));
      hasArrays = true;
    }
  if (!hasArrays) return llvm::PreservedAnalyses::all();
  // The code generator joins accesses behind loop strength reduction, which hides the alignment of their addresses.
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || !isArray(*llvm::getUnderlyingObject(pointer), layout)) continue;
    const llvm::Align known = std::min(llvm::getKnownAlignment(pointer, layout, &instruction), most);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      load->setAlignment(std::max(load->getAlign(), known));
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      store->setAlignment(std::max(store->getAlign(), known));
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler::nvptx
