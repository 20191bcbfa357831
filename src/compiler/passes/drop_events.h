// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that drops the events of copies within a work-group.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Copies of a work-group have ended when their function returns, so an event_t says nothing. Other code loses them
/// when private variables become values; debugged code keeps its variables, for whose type there are no registers.
///
///   before:  %e = alloca target("spirv.Event")    store target("spirv.Event") %made, ptr %e
///   after:   %e = alloca i64                      store i64 0, ptr %e
struct DropEventsPass : llvm::PassInfoMixin<DropEventsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
