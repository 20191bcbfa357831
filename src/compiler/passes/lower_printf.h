// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that turns printf into a call of the runtime.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Stores the arguments of every printf in 8-byte slots and calls __clarity_printf (support/printf_hook.h).
///   before:  call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @fmt, i32 %i, double %x)
///   after:   slots: [i64 sext %i] [bits of %x];  call i32 @__clarity_printf(ptr sink, ptr @fmt, ptr slots, i32 2)
/// Integers are sign-extended, floats promoted to double, vectors stored element after element in as many slots as
/// they fill.
struct LowerPrintfPass : llvm::PassInfoMixin<LowerPrintfPass> {
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
