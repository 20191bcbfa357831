// SPDX-License-Identifier: Apache-2.0
// This file puts constants of double into constant memory.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// An instruction holds 32 bits of a constant of double, so one with more bits takes two instructions each time that it
/// is used: a polynomial of 12 terms is 12 multiply-adds and 24 moves. Operands that constant memory holds cost one
/// instruction, which the driver's assembler moves out of loops, into registers that a warp's threads share.
///
///   before:  %y = call double @llvm.fma.f64(double %x, double %p, double 0x3FC5555555555529)
///   after:   %c = load double, ptr addrspace(4) @clarity.doubles, !invariant.load !0
///            %y = call double @llvm.fma.f64(double %x, double %p, double %c)
///
/// Last of the pipeline: simplifications would bring the constants back.
struct LoadDoubleConstantsPass : llvm::PassInfoMixin<LoadDoubleConstantsPass> {
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
