// SPDX-License-Identifier: Apache-2.0
// This file writes the entry that calls a kernel for one work-item.
#include "compiler/passes/make_item_entry.h"

#include "compiler/ir/kernel_abi.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstddef>

namespace clarity::compiler {
namespace {

/// The argument block is ordinary memory of the host: wider values in it have no greater alignment.
const llvm::Align mostAlignmentOfArguments(16);

/// The value of a kernel's parameter.
llvm::Value* argumentOf(llvm::IRBuilder<>& builder, const llvm::Argument& parameter, const KernelArg& description,
                        llvm::Value* block, llvm::Value* local) {
  llvm::Type* const type = parameter.getType();
  llvm::Value* const place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, description.offset);
  const llvm::DataLayout& layout = parameter.getParent()->getDataLayout();
  const auto load = [&](llvm::Type* wanted) {
    return builder.CreateAlignedLoad(wanted, place, std::min(layout.getABITypeAlign(wanted), mostAlignmentOfArguments));
  };
  if (description.kind == ArgKind::Local)
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), local, load(builder.getInt64Ty()));
  if (description.kind == ArgKind::Image) return builder.CreateAddrSpaceCast(place, type);
  // A structure stays where it is; the kernel copies it.
  if (description.kind == ArgKind::Value && type->isPointerTy()) return place;
  return load(type);
}

}  // namespace

llvm::PreservedAnalyses MakeItemEntryPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::Function* const kernel = module.getFunction(options.kernel);
  if (!kernel || kernel->isDeclaration()) return llvm::PreservedAnalyses::all();
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* const pointer = llvm::PointerType::get(context, 0);
  auto* const entry = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer, pointer, pointer}, false),
      llvm::GlobalValue::ExternalLinkage, options.entryName, module);
  for (const llvm::StringRef attribute : {"target-cpu", "target-features"})
    if (kernel->hasFnAttribute(attribute)) entry->addFnAttr(kernel->getFnAttribute(attribute));
  entry->setDoesNotThrow();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", entry));
  llvm::Value* const local = builder.CreateLoad(
      llvm::PointerType::get(context, 3),
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), entry->getArg(3), offsetof(WorkerMemory, local)),
      "local");
  llvm::SmallVector<llvm::Value*, 16> arguments;
  for (unsigned i = 0; i < options.args.size(); ++i)
    arguments.push_back(argumentOf(builder, *kernel->getArg(i), options.args[i], entry->getArg(0), local));
  llvm::CallInst* const call = builder.CreateCall(kernel, arguments);
  call->setCallingConv(kernel->getCallingConv());
  builder.CreateRetVoid();
  kernel->setLinkage(llvm::GlobalValue::InternalLinkage);
  kernel->setVisibility(llvm::GlobalValue::DefaultVisibility);
  kernel->setDSOLocal(true);
  kernel->setName(kernel->getName() + ".item");
  kernel->addFnAttr(llvm::Attribute::NoInline);
  // Debuggers and the runtime find their way through frames by their pointers.
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) function.addFnAttr("frame-pointer", "all");
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
