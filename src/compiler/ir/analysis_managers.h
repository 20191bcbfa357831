// SPDX-License-Identifier: Apache-2.0
// This file declares LLVM's analysis managers as one object.
#pragma once

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class PassBuilder;
}  // namespace llvm

namespace clarity::compiler {

/// One manager for each kind of IR unit. They keep what was computed until a pass says that it no longer holds.
struct AnalysisManagers {
  /// Adds LLVM's analyses and those that `builder` has callbacks for, and lets each manager ask the others. An analysis
  /// that was registered before stays: the first registration counts.
  void registerAnalyses(llvm::PassBuilder& builder);

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
};

}  // namespace clarity::compiler
