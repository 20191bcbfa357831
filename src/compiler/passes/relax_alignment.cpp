// SPDX-License-Identifier: Apache-2.0
// This file lowers the alignment of accesses to that of their elements.
#include "compiler/passes/relax_alignment.h"

#include "compiler/transforms/preserved.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

template <class Access>
bool relax(Access& access, const llvm::DataLayout& layout) {
  if (access.isAtomic()) return false;
  llvm::Type* type = llvm::getLoadStoreType(&access)->getScalarType();
  const llvm::Align align =
      type->isSingleValueType() ? std::min(access.getAlign(), layout.getABITypeAlign(type)) : llvm::Align(1);
  if (align == access.getAlign()) return false;
  access.setAlignment(align);
  return true;
}

bool relax(llvm::MemIntrinsic& operation) {
  operation.setDestAlignment(llvm::Align(1));
  if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&operation)) copy->setSourceAlignment(llvm::Align(1));
  return true;
}

}  // namespace

llvm::PreservedAnalyses RelaxAlignmentPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const llvm::DataLayout& layout = function.getDataLayout();
  bool changed = false;
  for (llvm::Argument& argument : function.args()) {
    if (!argument.getType()->isPointerTy() || argument.hasByValAttr() || !argument.getParamAlign()) continue;
    argument.removeAttr(llvm::Attribute::Alignment);
    changed = true;
  }
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      changed |= relax(*load, layout);
      if (load->getMetadata(llvm::LLVMContext::MD_align)) load->setMetadata(llvm::LLVMContext::MD_align, nullptr);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      changed |= relax(*store, layout);
    } else if (auto* operation = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      changed |= relax(*operation);
    }
  }
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
