// SPDX-License-Identifier: Apache-2.0
// This file marks loads from constant memory.
#include "compiler/nvptx/constant_loads.h"

#include "compiler/ir/primitives.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

namespace clarity::compiler::nvptx {

llvm::PreservedAnalyses MarkConstantLoadsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        load && load->isSimple() && load->getPointerAddressSpace() == constantAddressSpace) {
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(function.getContext(), {}));
      changed = true;
    }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler::nvptx
