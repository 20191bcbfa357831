// SPDX-License-Identifier: Apache-2.0
// This file sets local memory to zero.
#include "compiler/passes/initialize_local_memory.h"

#include "compiler/ir/fences.h"
#include "compiler/ir/primitives.h"
#include "compiler/passes/lower_local_memory.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace clarity::compiler {
namespace {

/// The alignment of local memory: it begins at, and is a multiple of so many bytes.
const llvm::Align alignment(64);

bool isInLocalMemory(const llvm::Argument& argument) {
  return argument.getType()->isPointerTy() && argument.getType()->getPointerAddressSpace() == localAddressSpace;
}

}  // namespace

llvm::PreservedAnalyses InitializeLocalMemoryPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!wanted || function.hasLocalLinkage()) return llvm::PreservedAnalyses::all();
  const bool hasArguments = llvm::any_of(function.args(), isInLocalMemory);
  if (!hasArguments && localBytesOf(function) == 0) return llvm::PreservedAnalyses::all();
  for (llvm::Argument& argument : function.args())
    if (isInLocalMemory(argument)) argument.removeAttr(llvm::Attribute::NoAlias);

  llvm::Module& module = *function.getParent();
  llvm::BasicBlock& entry = function.getEntryBlock();
  llvm::Instruction* const first = &*entry.getFirstNonPHIOrDbgOrAlloca();
  llvm::IRBuilder<> builder(first);
  llvm::DebugLoc location;
  if (llvm::DISubprogram* scope = function.getSubprogram())
    location = llvm::DILocation::get(function.getContext(), scope->getLine(), 0, scope);
  builder.SetCurrentDebugLocation(location);
  llvm::Value* place = emitQuery(builder, Primitive::LocalId, 0);
  for (const unsigned dimension : {1u, 2u})
    place = builder.CreateOr(place, emitQuery(builder, Primitive::LocalId, dimension));
  llvm::Value* const isFirst = builder.CreateICmpEQ(place, builder.getInt64(0), "is.first");
  llvm::Instruction* const end = llvm::SplitBlockAndInsertIfThen(isFirst, first, /*Unreachable=*/false);
  builder.SetInsertPoint(end);
  builder.SetCurrentDebugLocation(location);
  llvm::Value* const memory = builder.CreateCall(&declarePrimitive(module, Primitive::LocalMemory), {}, "local");
  llvm::Value* const bytes = builder.CreateCall(&declarePrimitive(module, Primitive::LocalBytes), {}, "local.bytes");
  builder.CreateMemSet(memory, builder.getInt8(0), bytes, alignment);
  builder.SetInsertPoint(first);
  builder.SetCurrentDebugLocation(location);
  builder.CreateCall(&declarePrimitive(module, Primitive::Barrier), {builder.getInt32(localFence)});
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
