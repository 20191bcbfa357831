// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that decides which functions become part of their kernels.
#pragma once

#include "compiler/ir/cost_model.h"

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Marks every function that asks for a work-item's place, waits at a barrier or uses local memory, itself or
/// through what it calls, `alwaysinline`: after inlining only kernels contain such things, so that passes look at
/// one function. Others are left to LLVM's judgement. Kernels that kernels call are inlined there too.
///
/// A kernel, or a function that stays, which would become larger than mostInlined in this way, by functions that call
/// functions several times, keeps calls of functions of some size, and so does recursion, unless they wait at a
/// barrier: those lose the mark again, the program's own `always_inline` too, and PassIdsPass hands them what they ask
/// for.
struct PrepareInliningPass : llvm::PassInfoMixin<PrepareInliningPass> {
  static constexpr unsigned mostInlined = cost::budget::inlinedKernel;  ///< instructions
  explicit PrepareInliningPass(unsigned most = mostInlined) : most(most) {}
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
  unsigned most;
};

/// Instructions of a kernel once everything `alwaysinline` has become part of it.
std::uint64_t inlinedSize(const llvm::Function& kernel);
/// The same with each function counted once, as the source has it: what the calls multiply is the difference.
std::uint64_t writtenSize(const llvm::Function& kernel);

}  // namespace clarity::compiler
