// SPDX-License-Identifier: Apache-2.0
// This file links the library's functions and puts values in place of what they leave open.
#include "compiler/nvptx/link_library.h"

#include "builtins/nvptx/library.h"
#include "compiler/nvptx/address_spaces.h"
#include "compiler/nvptx/async_copies.h"
#include "compiler/nvptx/launch_abi.h"
#include "compiler/nvptx/matrix_instructions.h"
#include "compiler/nvptx/tile.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

namespace clarity::compiler::nvptx {
namespace {

/// Shared memory for work-group functions: a value for each warp (builtins/nvptx/collectives.cl).
void defineScratch(llvm::Module& module) {
  llvm::Function* scratch = module.getFunction("__clarity_group_scratch");
  if (!scratch) return;
  auto* type = llvm::ArrayType::get(llvm::Type::getInt64Ty(module.getContext()), 32);
  auto* memory =
      new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(type),
                               "clarity_group_scratch", nullptr, llvm::GlobalValue::NotThreadLocal, sharedSpace);
  memory->setAlignment(llvm::Align(8));
  for (llvm::User* user : llvm::make_early_inc_range(scratch->users()))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) {
      call->replaceAllUsesWith(memory);
      call->eraseFromParent();
    }
  scratch->eraseFromParent();
}

/// The instruction that reduces a word of a warp's threads: `name` is the operation and the type.
llvm::Intrinsic::ID reductionOfWords(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::Intrinsic::ID>(name)
      .Cases({"add_int", "add_uint"}, llvm::Intrinsic::nvvm_redux_sync_add)
      .Case("min_int", llvm::Intrinsic::nvvm_redux_sync_min)
      .Case("min_uint", llvm::Intrinsic::nvvm_redux_sync_umin)
      .Case("max_int", llvm::Intrinsic::nvvm_redux_sync_max)
      .Case("max_uint", llvm::Intrinsic::nvvm_redux_sync_umax)
      .Cases({"and_int", "and_uint"}, llvm::Intrinsic::nvvm_redux_sync_and)
      .Cases({"or_int", "or_uint"}, llvm::Intrinsic::nvvm_redux_sync_or)
      .Cases({"xor_int", "xor_uint"}, llvm::Intrinsic::nvvm_redux_sync_xor)
      .Default(llvm::Intrinsic::not_intrinsic);
}

/// The first capability that has what the library asks for (builtins/nvptx/collectives.cl); 0 if it is no question.
Capability firstThatHas(llvm::StringRef question) {
  return llvm::StringSwitch<Capability>(question)
      .Case("__clarity_reduces_words", firstThatReducesWords)
      .Case("__clarity_has_own_threads", firstWithOwnThreads)
      .Default(0);
}

/// Whether the block's threads are full warps.
bool hasFullWarps(const llvm::Module& module) {
  const llvm::Function* kernel = module.getFunction(kernelSymbol);
  if (!kernel) return false;
  unsigned threads = 1;
  llvm::StringRef size = kernel->getFnAttribute("nvvm.reqntid").getValueAsString();
  for (unsigned along = 0; !size.empty() && !size.consumeInteger(10, along); size.consume_front(",")) threads *= along;
  return threads > 1 && threads % warp == 0;
}

/// Answers that the library leaves open as the processor decides them.
void answerLibrary(llvm::Module& module, Capability capability) {
  const bool isFull = hasFullWarps(module);
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    llvm::StringRef name = function.getName();
    const Capability first =
        name == "__clarity_sub_groups_are_full" ? (isFull ? leastCapability : ~0U) : firstThatHas(name);
    if (!first && !name.consume_front("__clarity_words_")) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto& call = *llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(&call);
      llvm::Value* value = llvm::PoisonValue::get(call.getType());
      if (first)
        value = llvm::ConstantInt::get(call.getType(), capability >= first);
      else if (capability >= firstThatReducesWords)
        value = builder.CreateIntrinsic(builder.getInt32Ty(), reductionOfWords(name),
                                        {call.getArgOperand(0), call.getArgOperand(1)});
      call.replaceAllUsesWith(value);
      call.eraseFromParent();
    }
    function.eraseFromParent();
  }
}

}  // namespace

llvm::Error linkLibrary(llvm::Module& module, Capability capability) {
  const std::string_view bitcode = builtins::nvptxLibrary();
  auto library = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(llvm::StringRef(bitcode), "nvptx library"),
                                            module.getContext(), true);
  if (!library) return library.takeError();
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded))
    return llvm::createStringError("the library for NVIDIA GPUs could not be linked");
  defineScratch(module);
  answerLibrary(module, capability);
  emitMatrixInstructions(module, capability);
  emitStagedCopies(module, capability);
  return llvm::Error::success();
}

}  // namespace clarity::compiler::nvptx
