// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that gives debugged code the functions that its source has.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// clang makes two functions of a kernel: its body, which other kernels may call, and the kernel, which calls the body.
/// Debuggers would stop in both. The kernel becomes its body, and other functions of the program stay functions, but
/// for those that use __local variables, whose places are the kernel's, and those that take or return an event_t.
///
///   before:  define spir_kernel void @k(...) !dbg !1 { call void @__clang_ocl_kern_imp_k(...) ... }
///   after:   define spir_kernel void @k(...) !dbg !2 { <the body> }
struct KeepFunctionsPass : llvm::PassInfoMixin<KeepFunctionsPass> {
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
