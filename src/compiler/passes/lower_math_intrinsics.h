// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that turns LLVM's mathematical intrinsics into calls of the builtin library.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// A program that calls __builtin_sin or __builtin_elementwise_pow, or portable IR of another front end, has intrinsics
/// for which back ends call functions of a C library. They become OpenCL's functions, which link-builtins links;
/// vectors of a length that OpenCL does not have are split.
///   before:  %y = call <4 x float> @llvm.sin.v4f32(<4 x float> %x)
///   after:   %y = call <4 x float> @_Z3sinDv4_f(<4 x float> %x)
struct LowerMathIntrinsicsPass : llvm::PassInfoMixin<LowerMathIntrinsicsPass> {
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
