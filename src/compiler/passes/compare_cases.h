// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that turns switches between two ways into comparisons.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// LLVM writes `x == 0 || x == n - 1` as a switch, in the fewest bits that hold the cases. The work-items of a packet
/// that take different ways would take the switch apart branch by branch. As one condition it is a mask, which later
/// passes read as the boundary of a row.
///
///   before:  %b = trunc nuw i64 %id to i8            after:  %first = icmp eq i64 %id, 0
///            switch i8 %b, label %inside                     %last = icmp eq i64 %id, 255
///              [ i8 0, label %edge                           %c = or i1 %first, %last
///                i8 -1, label %edge ]                        br i1 %c, label %edge, label %inside
///
/// Needs: nothing; runs ahead of all that cuts the kernel into regions.
struct CompareCasesPass : llvm::PassInfoMixin<CompareCasesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
