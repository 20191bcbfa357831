// SPDX-License-Identifier: Apache-2.0
// This file declares what keeps LLVM from taking indices of 32 bits that wrap for ones that do not.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// LLVM's straight-line strength reduction (StraightLineStrengthReduce.cpp of LLVM 22) looks through the sign extension
/// of an index, finds by scalar evolution that two indices of 32 bits are a constant apart, and makes one address of
/// the other by that distance in 64 bits. Indices that wrap between each other are 2^32 further apart.
///
///   before:  %b = add i32 %x, %k                 after:  %b = add i32 %x, %k
///            %i = sext i32 %b to i64                     %f = freeze i32 %b
///            getelementptr i8, ptr %p, i64 %i            %i = sext i32 %f to i64
///
/// Scalar evolution sees no sum in a frozen value. Sums that do not wrap stay as they are: those of the same frozen
/// value are still found to be a constant apart. Runs ahead of the code generator; freezing makes no instruction.
struct KeepWrappingIndicesPass : llvm::PassInfoMixin<KeepWrappingIndicesPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
