// SPDX-License-Identifier: Apache-2.0
// This file declares what becomes of products of matrices that a sub-group has in its registers.
#pragma once

#include "compiler/nvptx/capability.h"

namespace llvm {
class Module;
}

namespace clarity::compiler::nvptx {

/// Puts instructions in place of the calls that the library leaves open (builtins/nvptx/collectives.cl): words of
/// vectors are what each thread has of the matrices.
///
///   before:  %d = call <4 x float> @__clarity_mma_f16(<4 x i32> %a, <2 x i32> %b, <4 x float> %c)
///   after:   %r = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> ..., float
///   ...)
///
/// The product of doubles is 16 x 8 x 8; before compute capability 9.0 it is four instructions of 8 x 8 x 4.
void emitMatrixInstructions(llvm::Module& module, Capability capability);

}  // namespace clarity::compiler::nvptx
