// SPDX-License-Identifier: Apache-2.0
// This file inlines the functions that get images.
#include "compiler/nvptx/known_images.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/image_descriptor.h"
#include "compiler/ir/primitives.h"
#include "compiler/passes/specialize_images.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <cstddef>

namespace clarity::compiler::nvptx {
namespace {

/// Whether it is the builtin library's: specialize-images copies and inlines those functions.
bool isOfLibrary(const llvm::Function& function) {
  llvm::StringRef name = function.getName();
  name.consume_front("cl.");  // workarounds/library_names.h
  if (name.starts_with("__clarity_image_")) return true;
  unsigned length = 0;
  if (!name.consume_front("_Z") || name.consumeInteger(10, length)) return false;
  static constexpr llvm::StringLiteral functions[] = {"read_imagef",  "read_imagei",  "read_imageui",  "read_imageh",
                                                      "write_imagef", "write_imagei", "write_imageui", "write_imageh"};
  return llvm::is_contained(functions, name.take_front(length));
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

/// Texels lie at multiples of their size: buffers of a GPU begin aligned, and so do rows. The library, which also
/// serves memory of the host, supposes no alignment; what is not aligned is accessed byte by byte.
void alignTexels(llvm::Value& address, std::uint32_t texelBytes, unsigned steps = 0) {
  const auto alignmentFor = [&](const llvm::Instruction& access, llvm::Type* type, llvm::Align known) {
    const std::uint64_t bytes = access.getDataLayout().getTypeStoreSize(type);
    return llvm::isPowerOf2_64(bytes) && texelBytes % bytes == 0 ? std::max(known, llvm::Align(bytes)) : known;
  };
  for (llvm::User* user : address.users()) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
      load->setAlignment(alignmentFor(*load, load->getType(), load->getAlign()));
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && store->getPointerOperand() == &address)
      store->setAlignment(alignmentFor(*store, store->getValueOperand()->getType(), store->getAlign()));
    else if (llvm::isa<llvm::GetElementPtrInst, llvm::IntToPtrInst>(user) && steps < cost::search::texelSteps)
      alignTexels(*user, texelBytes, steps + 1);
    else if (const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(user);
             sum && sum->getOpcode() == llvm::Instruction::Add && steps < cost::search::texelSteps)
      alignTexels(*user, texelBytes, steps + 1);
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

bool knowImages(llvm::Module& module, llvm::StringRef name, const Shape& shape, llvm::ModuleAnalysisManager& analyses,
                std::string& error) {
  llvm::Function& before = *module.getFunction(name);
  if (llvm::none_of(before.args(), isImage)) return true;
  inlineFunctionsOfProgram(before);
  SpecializeImagesPass(name.str(), shape.images).run(module, analyses);
  llvm::Function& kernel = *module.getFunction(name);
  for (llvm::Argument& argument : kernel.args())
    if (argument.hasAttribute(imageMemberAttribute))
      for (const ImageFacts& image : shape.images)
        if (kernel.getAttributes().getParamAttr(argument.getArgNo(), imageMemberAttribute).getValueAsString() ==
            fmt::format("{}:{}", image.argument, offsetof(ImageDescriptor, texels)))
          alignTexels(argument, image.texelBytes);
  for (llvm::Argument& argument : kernel.args())
    if (isImage(argument) && isUsed(argument)) {
      error = fmt::format("kernel '{}' does more with image '{}' than read and write it", std::string_view(name),
                          std::string_view(argument.getName()));
      return false;
    }
  return true;
}

}  // namespace clarity::compiler::nvptx
