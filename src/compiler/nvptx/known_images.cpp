// SPDX-License-Identifier: Apache-2.0
// This file inlines the functions that get images.
#include "compiler/nvptx/known_images.h"

#include "compiler/image_descriptor.h"
#include "compiler/passes/specialize_images.h"
#include "compiler/primitives.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

namespace clarity::compiler::nvptx {
namespace {

/// Of the builtin library: specialize-images copies and inlines them.
bool isOfLibrary(const llvm::Function& function) {
  llvm::StringRef name = function.getName();
  name.consume_front("cl.");  // workarounds/library_names.h
  return name.starts_with("__clarity_image_") || name.contains("read_image") || name.contains("write_image");
}

bool getsImage(const llvm::CallInst& call) {
  return llvm::any_of(call.args(), [](const llvm::Use& operand) {
    const auto* argument = llvm::dyn_cast<llvm::Argument>(operand.get());
    return argument && isImage(*argument);
  });
}

/// Functions of the program, which may hand images on to others; they do not call themselves (OpenCL C 3.0, 6.11).
void inlineFunctionsOfProgram(llvm::Function& kernel) {
  for (bool any = true; any;) {
    llvm::SmallVector<llvm::CallInst*, 8> calls;
    for (llvm::Instruction& instruction : llvm::instructions(kernel))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (const llvm::Function* callee = call->getCalledFunction();
            callee && !callee->isDeclaration() && callee != &kernel && !isOfLibrary(*callee) && getsImage(*call))
          calls.push_back(call);
    any = false;
    for (llvm::CallInst* call : calls) {
      llvm::InlineFunctionInfo info;
      any |= llvm::InlineFunction(*call, info).isSuccess();
    }
  }
}

/// Addresses of members that have become parameters are dead.
bool isUsed(llvm::Argument& image) {
  llvm::SmallVector<llvm::WeakTrackingVH, 8> dead;
  for (llvm::User* user : image.users())
    if (llvm::isInstructionTriviallyDead(llvm::cast<llvm::Instruction>(user))) dead.emplace_back(user);
  llvm::RecursivelyDeleteTriviallyDeadInstructions(dead);
  return !image.use_empty();
}

}  // namespace

bool isImage(const llvm::Argument& argument) {
  return argument.getType()->isPointerTy() && argument.getDereferenceableBytes() == sizeof(ImageDescriptor) &&
         argument.getType()->getPointerAddressSpace() == constantAddressSpace;
}

bool knowImages(llvm::Module& module, llvm::StringRef name, const Shape& shape, std::string& error) {
  llvm::Function& before = *module.getFunction(name);
  if (llvm::none_of(before.args(), isImage)) return true;
  inlineFunctionsOfProgram(before);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  SpecializeImagesPass(name.str(), shape.images).run(module, modules);
  for (llvm::Argument& argument : module.getFunction(name)->args())
    if (isImage(argument) && isUsed(argument)) {
      error = fmt::format("kernel '{}' does more with image '{}' than read and write it", std::string_view(name),
                          std::string_view(argument.getName()));
      return false;
    }
  return true;
}

}  // namespace clarity::compiler::nvptx
