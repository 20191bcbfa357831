// SPDX-License-Identifier: Apache-2.0
// This file makes one instruction of four products of bytes and their sum.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// The sum of the products of the elements of two vectors of four bytes, signed or not, and of anything else of 32
/// bits:
///
///   before:  %p = mul <4 x i32> (sext <4 x i8> %a), (sext <4 x i8> %b);  the elements of %p and %c are added
///   after:   call i32 @llvm.nvvm.idp4a.s.s(i32 %a, i32 %b, i32 %c)
///
/// The same where the products are scalars. This is what the functions of cl_khr_integer_dot_product are made of, and
/// what programs write themselves. Sums of 32 bits wrap alike in any order.
struct DotProductsPass : llvm::PassInfoMixin<DotProductsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
