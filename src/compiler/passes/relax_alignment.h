// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that takes no more of the alignment of an access for granted than its elements need.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `relax-alignment`: programs cast pointers to floats to pointers to vectors. The standard asks for the alignment of
/// the whole vector or structure (OpenCL C 3.0, section 6.3.5), of which GPUs and other implementations for CPUs need
/// less; processors access any address at the same speed. Accesses, copies and pointer arguments lose what a type alone
/// says of their alignment; LLVM finds that of variables again.
///
///   before:  %v = load <4 x float>, ptr %p, align 16      after:  %v = load <4 x float>, ptr %p, align 4
///
/// Needs: a target whose processor accesses any address. Runs behind what checks alignments.
struct RelaxAlignmentPass : llvm::PassInfoMixin<RelaxAlignmentPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
