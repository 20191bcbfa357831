// SPDX-License-Identifier: Apache-2.0
// This file chooses images and samplers for code that is shown without a launch.
#include "compiler/pipeline/supposed_images.h"

#include "compiler/ir/image_descriptor.h"

#include <CL/cl.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {
namespace {

constexpr std::uint64_t clampToEdge = 2;  // of SamplerBits::addressing

/// The image behind an argument: RGBA of the kind of numbers that the first function reads or writes with it, of 8 bits
/// where there are such.
ImageFacts supposedImage(const llvm::Argument& argument) {
  ImageFacts facts{.order = CL_RGBA, .type = CL_UNORM_INT8, .texelBytes = 4, .offsetsFitInt = true};
  for (const llvm::User* user : argument.users()) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    const llvm::StringRef name = call && call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
    if (name.contains("_imageui"))
      facts.type = CL_UNSIGNED_INT8;
    else if (name.contains("_imagei"))
      facts.type = CL_SIGNED_INT8;
    else if (!name.contains("_image"))
      continue;
    break;
  }
  return facts;
}

}  // namespace

void supposeImages(const llvm::Function& function, const KernelInfo& kernel, Shape& shape) {
  if (!shape.images.empty()) return;
  for (unsigned i = 0; i < kernel.args.size(); ++i) {
    const ArgKind kind = kernel.args[i].kind;
    if (kind == ArgKind::Image)
      shape.images.push_back(supposedImage(*function.getArg(i)));
    else if (kind == ArgKind::Sampler)
      shape.images.push_back({.sampler = SamplerBits::linear | clampToEdge});
    else
      continue;
    shape.images.back().argument = i;
  }
}

}  // namespace clarity::compiler
