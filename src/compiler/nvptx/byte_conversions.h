// SPDX-License-Identifier: Apache-2.0
// This file converts bytes and halves of a word to float.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// The assembler makes one instruction of the extraction of a byte and its conversion, which the unit of special
/// functions executes, at an eighth of the rate of products. Here the byte is put below the exponent of 2^23, by one
/// permutation of bytes, and 2^23 is taken away again:
///
///   before:  %s = lshr i32 %w, 8;  %b = and i32 %s, 255;  %f = uitofp i32 %b to float
///   after:   %p = call i32 @llvm.nvvm.prmt(i32 %w, i32 u0x4B000000, i32 u0x7441)
///            %m = bitcast i32 %p to float;  %f = fsub float %m, 8388608.0
///
/// The same for 16 bits, and lane by lane in vectors. Signed bytes and halves become words first, whose conversion has
/// a faster instruction. Results keep their bits.
struct ConvertBytesPass : llvm::PassInfoMixin<ConvertBytesPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
