// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that gives processors without arithmetic of half what they compute instead.
#pragma once

#include "compiler/packets/packet_shape.h"

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Computes half in float and rounds every result back, which gives the bits that arithmetic of half itself would give;
/// where the processor has no conversions between the two either, these become arithmetic on the bits. Left to the code
/// generator, a vector would be scalarised.
///   before:  %z = fadd <8 x half> %x, %y
///   after:   %a = fpext %x;  %b = fpext %y;  %c = fadd <8 x float> %a, %b;  %z = fptrunc %c
/// A float has more than twice the digits of a half and two more, so that the second rounding of sums, products,
/// quotients and square roots never shows. It might for a fused multiply-add and for what comes from double: these
/// round to an odd float on the way. Relaxed math (operations with the flags `reassoc` and `contract`) hands its
/// results on unrounded. Last of all passes on IR: an earlier one would take `fptrunc (fadd (fpext x), (fpext y))` for
/// a sum of halves, which it is.
struct LowerHalfPass : llvm::PassInfoMixin<LowerHalfPass> {
  explicit LowerHalfPass(HalfSupport processor) : processor(processor) {}
  HalfSupport processor;
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
