// SPDX-License-Identifier: Apache-2.0
// This file follows generic pointers to what they were made of.
#include "compiler/passes/resolve_generic_pointers.h"

#include "compiler/ir/primitives.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>

#include <optional>

namespace clarity::compiler {
namespace {

enum class Memory { Global, Local, Private };

std::optional<Memory> memoryOf(const llvm::Value& pointer) {
  if (llvm::isa<llvm::AllocaInst>(pointer)) return Memory::Private;
  switch (pointer.getType()->getPointerAddressSpace()) {
    case 1:
    case 2: return Memory::Global;
    case localAddressSpace: return Memory::Local;
    default: return std::nullopt;
  }
}

/// The one kind of memory that everything a pointer may have been made of lies in.
std::optional<Memory> memoryUnder(const llvm::Value& pointer) {
  std::optional<Memory> common;
  llvm::SmallVector<const llvm::Value*, 8> objects;
  llvm::getUnderlyingObjects(&pointer, objects);
  for (const llvm::Value* object : objects) {
    if (llvm::isa<llvm::UndefValue>(object)) continue;
    const auto memory = memoryOf(*object);
    if (!memory || (common && *common != *memory)) return std::nullopt;
    common = memory;
  }
  return common;
}

}  // namespace

llvm::PreservedAnalyses ResolveGenericPointersPass::run(llvm::Function& function,
                                                        llvm::FunctionAnalysisManager& analyses) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || call->arg_size() != 1) continue;
    const bool asksLocal = callee->getName() == "__clarity_is_local";
    if (!asksLocal && callee->getName() != "__clarity_is_private") continue;
    const auto memory = memoryUnder(*call->getArgOperand(0));
    if (!memory) continue;
    instruction.replaceAllUsesWith(
        llvm::ConstantInt::get(instruction.getType(), *memory == (asksLocal ? Memory::Local : Memory::Private)));
    instruction.eraseFromParent();
    changed = true;
  }
  if (changed) analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::PreservedAnalyses preserved = llvm::InferAddressSpacesPass(genericAddressSpace).run(function, analyses);
  return changed ? llvm::PreservedAnalyses::none() : preserved;
}

}  // namespace clarity::compiler
