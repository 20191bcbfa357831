// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that makes accesses to components of vectors in memory accesses to these components only.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `component-accesses`: clang stores a component by loading the whole vector and storing it again, which undoes what
/// other work-items store to the other components meanwhile: they are memory locations of their own (OpenCL C 3.0,
/// section 6.3.7 and C11, 3.14). Volatile ones it loads by loading all of them, too.
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

/// Clang loads a component by loading the whole vector.
///
///   before:  %all = load <4 x float>, ptr %p                      after:  %at = getelementptr float, ptr %p, i64 1
///            %y = extractelement <4 x float> %all, i64 1                  %y = load float, ptr %at
///
/// `component-loads` runs on the front end's code where checks look at it: components that are not used may never have
/// been written, or be another work-item's. `narrow-loads` does it where it pays: where the loads of a vector in a
/// block are for one component, or for few of many. Needs: SSA form; runs ahead of what makes one load of several in
/// different blocks.
struct ComponentLoadsPass : llvm::PassInfoMixin<ComponentLoadsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};
struct NarrowLoadsPass : llvm::PassInfoMixin<NarrowLoadsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
