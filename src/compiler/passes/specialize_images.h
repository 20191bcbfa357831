// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that makes formats and samplers constants.
#pragma once

#include "compiler/ir/shape.h"

#include <llvm/IR/PassManager.h>

#include <string>
#include <vector>

namespace clarity::compiler {

/// The functions of the builtin library that read and write images are calls until here: they can do every format and
/// every sampler. The pass makes copies of the functions in which those that the shape knows, and samplers of the
/// program, are constants, removes what is dead then, and inlines them. Then it makes the members of descriptors that
/// the kernel reads parameters of the kernel, so that they are what the parameters of a kernel for buffers are.
///   before:  call <4 x float> @_Z11read_imagef...(ptr addrspace(2) %image, i64 18, <2 x i32> %at)
///   after:   %texel = load i32, ptr addrspace(1) ... %image.texels ..., !invariant.load; what makes four floats of it
/// A call whose image or sampler is not known stays. The parameters have the attribute `imageMemberAttribute`
/// (attributes.h), by which make-entry knows them.
struct SpecializeImagesPass : llvm::PassInfoMixin<SpecializeImagesPass> {
  SpecializeImagesPass(std::string kernel, std::vector<ImageFacts> images)
      : kernel(std::move(kernel)), images(std::move(images)) {}
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
  std::string kernel;
  std::vector<ImageFacts> images;
};

}  // namespace clarity::compiler
