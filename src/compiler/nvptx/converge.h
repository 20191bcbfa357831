// SPDX-License-Identifier: Apache-2.0
// This file declares what makes kernels right on GPUs that execute the threads of a warp together.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// Before compute capability 7.0 threads of a warp that have parted at a branch are together again where all ways from
/// it meet, its immediate post-dominator, and not before. A barrier or a function of a sub-group is for the threads
/// that come to it together. The optimiser, which knows on one way what is tested behind the branch, leads it past the
/// test:
///   if (odd) { ...; go = true; }             if (odd) { ...; goto all; }
///   if (go) barrier();                       if (go) all: barrier();
/// The odd threads come to this barrier apart from the others. Functions where that may be get control flow of
/// conditions and loops that are nested, in which every block that is reached on several ways comes behind their
/// meeting. Last of all passes that change control flow.
struct ConvergePass : llvm::PassInfoMixin<ConvergePass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
