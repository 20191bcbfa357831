// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that makes accesses to components of vectors in memory accesses to these components only.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `component-accesses`: clang stores a component by loading the whole vector and storing it again, which undoes what
/// other work-items store to the other components meanwhile: they are memory locations of their own (OpenCL C 3.0,
/// section 6.3.7 and C11, 3.14). It loads a component by loading all of them, which another work-item may be writing.
///
///   before:  %all = load <4 x float>, ptr %p                      after:  %at = getelementptr float, ptr %p, i64 1
///            %new = insertelement <4 x float> %all, float %y, 1           store float %y, ptr %at
///            store <4 x float> %new, ptr %p
///
/// Neighbouring components (`.xy`) are one access, others one each. Needs: the front end's code, in which the three
/// instructions are together and have the same address; runs ahead of all that may merge or move them.
struct ComponentAccessesPass : llvm::PassInfoMixin<ComponentAccessesPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
