// SPDX-License-Identifier: Apache-2.0
// This file declares what makes numbers of function pointers, and choices of calls through them.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Back ends have no calls through pointers: a kernel and its functions are one piece of code, which work-items execute
/// in packets. As a program is whole here, all functions that a pointer can point to are known.
///   before:  %r = call i32 %f(i32 %x)                                  store ptr @twice, ptr %place
///   after:   %r = call i32 @__clarity_call_through(i64 %f, i32 %x)     store ptr inttoptr (i64 1234), ptr %place
///            define i32 @__clarity_call_through(i64 %f, i32 %x): switch i64 %f, [1234: call @twice, ...], else a trap
/// A number stays the same in all address spaces: casts of functions, and of what is chosen among functions, go.
/// There is one such function for each type of functions. A function's number is a hash of its name, so that two
/// programs with the same function agree on it: objects with virtual functions may be made by one and used by another.
class LowerFunctionPointersPass : public llvm::PassInfoMixin<LowerFunctionPointersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
