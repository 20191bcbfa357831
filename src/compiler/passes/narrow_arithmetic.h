// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that computes in 16 bits what fits them.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `narrow-arithmetic`: OpenCL C computes with bytes and shorts in int. This pass computes expressions of 32-bit
/// integers in 16 bits where all their values fit: a register then holds twice as many lanes.
///
///   before:  %a = zext i8 %p to i32           after:  %a = zext i8 %p to i16
///            %b = zext i8 %q to i32                   %b = zext i8 %q to i16
///            %d = sub i32 %a, %b                      %d = sub nsw i16 %a, %b
///            %m = call i32 @llvm.abs(i32 %d)          %m = call i16 @llvm.abs(i16 %d)
///            %c = icmp sgt i32 %m, 40                 %c = icmp sgt i16 %m, 40
///
/// An expression is all sums, products, minima and so on that are connected by their operands. It begins at values
/// extended from at most 16 bits, and at constants, and ends at comparisons and truncations; an expression with another
/// use stays as it is. InstCombine narrows what ends at truncations only, and only operations whose lower bits depend
/// on lower bits alone.
///
/// Expressions that are uniform along the lanes stay scalars and are not narrowed.
struct NarrowArithmeticPass : llvm::PassInfoMixin<NarrowArithmeticPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
