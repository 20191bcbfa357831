// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that makes instructions of the functions that stand for them.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `lower-processor-functions`: the builtin library's forms for AVX-512 call functions for what is one instruction
/// there (processor_functions.h): the parts of a number, an estimate of a reciprocal. They are functions until here,
/// because LLVM's intrinsics for these instructions are of whole registers, and only the packets know how many lanes
/// there are. One number is computed in a register of four floats or two doubles by the same instruction, so that
/// results do not depend on the width. The elements of one vector, which a kernel outside of packets computes one by
/// one, are computed together.
///
///   before:  %n = call <16 x float> @__clarity_processor_exponent_f32_v16(<16 x float> %x)
///   after:   %n = call <16 x float> @llvm.x86.avx512.mask.getexp.ps.512(<16 x float> %x, ...)
struct LowerProcessorFunctionsPass : llvm::PassInfoMixin<LowerProcessorFunctionsPass> {
  /// @param registerBits of the widest registers
  explicit LowerProcessorFunctionsPass(unsigned registerBits) : registerBits(registerBits) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

  unsigned registerBits;
};

}  // namespace clarity::compiler
