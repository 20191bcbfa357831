// SPDX-License-Identifier: Apache-2.0
// This file packs the arguments of printf.
#include "compiler/passes/lower_printf.h"

#include "compiler/ir/primitives.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

namespace clarity::compiler {
namespace {

constexpr unsigned slotBytes = 8;

llvm::Value* promoted(llvm::IRBuilder<>& builder, llvm::Value* value) {
  llvm::Type* type = value->getType();
  if (type->isIntegerTy()) return builder.CreateSExtOrTrunc(value, builder.getInt64Ty());
  if (type->isFloatingPointTy()) return builder.CreateFPCast(value, builder.getDoubleTy());
  if (type->isPointerTy()) return builder.CreatePtrToInt(value, builder.getInt64Ty());
  return value;
}

void lower(llvm::CallInst& call) {
  llvm::Function& function = *call.getFunction();
  llvm::Module& module = *function.getParent();
  const llvm::DataLayout& layout = module.getDataLayout();
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<std::pair<llvm::Value*, std::uint64_t>, 8> arguments;
  std::uint64_t slots = 0;
  for (llvm::Value* argument : llvm::drop_begin(call.args())) {
    llvm::Value* value = promoted(builder, argument);
    arguments.push_back({value, slots * slotBytes});
    slots += llvm::divideCeil(layout.getTypeAllocSize(value->getType()).getFixedValue(), slotBytes);
  }
  llvm::IRBuilder<> atEntry(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  llvm::AllocaInst* block = atEntry.CreateAlloca(
      llvm::ArrayType::get(builder.getInt64Ty(), std::max<std::uint64_t>(slots, 1)), nullptr, "printf.slots");
  // The block lives for this call alone.
  builder.CreateLifetimeStart(block);
  for (const auto& [value, offset] : arguments)
    builder.CreateAlignedStore(value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, offset),
                               llvm::Align(slotBytes));
  llvm::PointerType* pointer = builder.getPtrTy();
  llvm::FunctionCallee hook = module.getOrInsertFunction("__clarity_printf", builder.getInt32Ty(), pointer, pointer,
                                                         pointer, builder.getInt32Ty());
  llvm::Value* sink = builder.CreateCall(&declarePrimitive(module, Primitive::PrintfSink));
  llvm::Value* format = builder.CreateAddrSpaceCast(call.getArgOperand(0), pointer);
  llvm::CallInst* result =
      builder.CreateCall(hook, {sink, format, block, builder.getInt32(static_cast<std::uint32_t>(slots))});
  result->setDoesNotThrow();
  builder.CreateLifetimeEnd(block);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

/// A program may have a kernel of this name, or declare a function of another type and never define it.
bool isBuiltin(const llvm::Function& printf) {
  const llvm::FunctionType& type = *printf.getFunctionType();
  return printf.isDeclaration() && type.isVarArg() && type.getReturnType()->isIntegerTy(32) &&
         type.getNumParams() == 1 && type.getParamType(0)->isPointerTy();
}

}  // namespace

llvm::PreservedAnalyses LowerPrintfPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::Function* printf = module.getFunction("printf");
  if (!printf || !isBuiltin(*printf)) return llvm::PreservedAnalyses::all();
  for (llvm::User* user : llvm::make_early_inc_range(printf->users()))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == printf) lower(*call);
  if (printf->use_empty()) printf->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
