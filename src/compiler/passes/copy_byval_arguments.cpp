// SPDX-License-Identifier: Apache-2.0
// This file copies structure arguments that the kernel writes at its start.
#include "compiler/passes/copy_byval_arguments.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

/// The uses of an object that is only read: loads of it, and copies to variables.
struct Reads {
  llvm::SmallVector<llvm::LoadInst*> loads;
  llvm::SmallVector<llvm::MemCpyInst*> copies;    ///< copies of it to elsewhere
  llvm::SmallVector<llvm::MemCpyInst*> fillings;  ///< copies of something to all of it
  llvm::SmallVector<llvm::Instruction*> marks;    ///< marks of its lifetime
};

/// Whether the object at `pointer` is only read, but for copies to its first byte.
bool collectReads(llvm::Value& pointer, Reads& reads, bool isWhole = true) {
  for (llvm::Use& use : pointer.uses()) {
    auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      if (!load->isSimple()) return false;
      reads.loads.push_back(load);
    } else if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      if (element->getType() != pointer.getType() || !collectReads(*element, reads, false)) return false;
    } else if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(user); copy && !copy->isVolatile()) {
      if (use.getOperandNo() == 1)
        reads.copies.push_back(copy);
      else if (isWhole && use.getOperandNo() == 0)
        reads.fillings.push_back(copy);
      else
        return false;
    } else if (user->isLifetimeStartOrEnd()) {
      reads.marks.push_back(user);
    } else {
      return false;
    }
  }
  return true;
}

bool isOnlyRead(llvm::Argument& argument) {
  Reads reads;
  return collectReads(argument, reads) && reads.fillings.empty();
}

/// From here on accesses do not rely on more than this alignment.
void limitAlignment(const Reads& reads, llvm::Align align) {
  for (llvm::LoadInst* load : reads.loads) load->setAlignment(std::min(load->getAlign(), align));
  for (llvm::MemCpyInst* copy : reads.copies)
    copy->setSourceAlignment(std::min(copy->getSourceAlign().valueOrOne(), align));
}

/// Has variables that are copies of the argument, and only read, read in the argument itself. True if some were.
bool readInPlace(llvm::Argument& argument, llvm::Type& type, llvm::Align align) {
  const llvm::DataLayout& layout = argument.getParent()->getDataLayout();
  llvm::SmallVector<llvm::AllocaInst*> copies;
  for (llvm::User* user : argument.users()) {
    const auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(user);
    if (!copy || copy->getRawSource() != &argument) continue;
    auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(copy->getRawDest());
    const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
    if (variable && length && variable->getAllocationSize(layout) == layout.getTypeAllocSize(&type) &&
        length->getZExtValue() == layout.getTypeAllocSize(&type))
      copies.push_back(variable);
  }
  bool changed = false;
  for (llvm::AllocaInst* variable : copies) {
    Reads reads;
    if (variable->getType() != argument.getType() || !collectReads(*variable, reads) || reads.fillings.size() != 1)
      continue;
    limitAlignment(reads, align);
    for (llvm::Instruction* mark : reads.marks) mark->eraseFromParent();
    reads.fillings.front()->eraseFromParent();
    variable->replaceAllUsesWith(&argument);
    variable->eraseFromParent();
    changed = true;
  }
  return changed;
}

/// A variable takes the argument's place.
void copyAtStart(llvm::Argument& argument, llvm::Type& type, llvm::Align align, llvm::Align promised) {
  llvm::Function& function = *argument.getParent();
  llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  llvm::AllocaInst* copy = builder.CreateAlloca(&type, nullptr, argument.getName() + ".copy");
  copy->setAlignment(std::max(align, copy->getAlign()));
  argument.replaceAllUsesWith(copy);
  builder.CreateMemCpy(copy, copy->getAlign(), &argument, promised, function.getDataLayout().getTypeAllocSize(&type));
}

void lower(llvm::Argument& argument, llvm::Type& type) {
  llvm::Function& function = *argument.getParent();
  const llvm::Align align = argument.getParamAlign().valueOrOne();
  // The argument block promises no more than 16 bytes.
  const llvm::Align promised = std::min(align, llvm::Align(16));
  if (isOnlyRead(argument)) {
    // Copies of copies.
    while (readInPlace(argument, type, promised)) {
    }
    Reads reads;
    collectReads(argument, reads);
    limitAlignment(reads, promised);
  } else {
    copyAtStart(argument, type, align, promised);
  }
  argument.removeAttr(llvm::Attribute::ByVal);
  argument.addAttr(llvm::Attribute::ReadOnly);
  argument.addAttr(llvm::Attribute::NoAlias);
  argument.removeAttr(llvm::Attribute::Alignment);
  argument.addAttr(llvm::Attribute::getWithAlignment(function.getContext(), promised));
  // The size stays known: load.cpp compares it with what a binary says of the kernel.
  argument.addAttr(llvm::Attribute::getWithDereferenceableBytes(
      function.getContext(), function.getDataLayout().getTypeAllocSize(&type).getFixedValue()));
}

}  // namespace

llvm::PreservedAnalyses CopyByvalArgumentsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  // A call that stays a call passes the address: on this processor `byval` would copy the structure to the stack.
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      for (unsigned i = 0; i < call->arg_size(); ++i)
        if (call->isByValArgument(i)) {
          call->removeParamAttr(i, llvm::Attribute::ByVal);
          changed = true;
        }
  for (llvm::Argument& argument : function.args())
    if (llvm::Type* const type = argument.getParamByValType()) {
      lower(argument, *type);
      changed = true;
    }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
