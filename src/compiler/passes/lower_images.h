// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that makes the values of opaque types ordinary ones: images, samplers, pipes and their
// reservations, command-queues and events of the device.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// An image becomes a pointer to its descriptor in the argument block (image_descriptor.h), a sampler its 64 bits, a
/// pipe its address in global memory (pipe_layout.h); a reservation of packets, a command-queue and an event are 64
/// bits. Types of functions, variables and values change accordingly. The functions of the builtin library that are
/// declared for them take these types.
///   before:  define spir_kernel void @k(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image)
///            %s = call target("spirv.Sampler") @__translate_sampler_initializer(i32 18)
///            call <4 x float> @_Z11read_imagef...(target("spirv.Image", ...) %image, target("spirv.Sampler") %s, ...)
///   after:   define spir_kernel void @k(ptr addrspace(2) noalias readonly ... %image)
///            call <4 x float> @_Z11read_imagef...(ptr addrspace(2) %image, i64 18, ...)
/// Modules without such values stay as they are. Needs to run before link-builtins.
struct LowerImagesPass : llvm::PassInfoMixin<LowerImagesPass> {
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
