// SPDX-License-Identifier: Apache-2.0
// This file emits calls by which instrumented code reports (support/observer_hooks.h).
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>

namespace clarity::compiler {

/// Calls the hook with these values and the work-item's global id behind them. Hooks return nothing and leave the
/// program's memory as it is.
llvm::CallInst* emitHook(llvm::IRBuilderBase&, const char* name, llvm::ArrayRef<llvm::Value*> values);

/// Calls a function of the runtime that reads or changes what the runtime keeps, and leaves the program's memory as it
/// is.
llvm::CallInst* emitTracking(llvm::IRBuilderBase&, const char* name, llvm::Type* result,
                             llvm::ArrayRef<llvm::Value*> values);

/// Calls a function of the runtime whose answer to these values stays the same while a thread executes a slice.
llvm::CallInst* emitQuestion(llvm::IRBuilderBase&, const char* name, llvm::Type* answer,
                             llvm::ArrayRef<llvm::Value*> values = {});

}  // namespace clarity::compiler
