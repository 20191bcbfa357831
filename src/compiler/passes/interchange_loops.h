// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that moves a loop outside the loop over work-items.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `interchange-loops`: work-items that go through memory together, each with steps as long as all of them, touch a
/// short piece here and there if each finishes its loop before the next one starts. Work-items do not wait for each
/// other, so that any order will do: this pass runs one iteration of the loop for all of them, then the next, which
/// is the order of memory.
///
///   for (i = global_id(0); i < n; i += global_size(0))          for (at = 0; at < n; at += global_size(0)) {
///     c[i] = a[i] + b[i];                                  =>     if (global_id(0) + at < n) c[i] = a[i] + b[i];
///                                                                 barrier();
///                                                               }
///
/// The compiler adds this barrier only to cut regions (barrier_regions.h): what a work-item carries from iteration to
/// iteration is spilled as if across a barrier of the program. A counter that would wrap around before it reaches its
/// bound ends its loop there. Where the starts share a term, as a work-group's loop over its own part of an array does,
/// `at` is compared with what is left behind that.
///
/// Needs: SpecializeShapePass, MergeGroupsPass.
struct InterchangeLoopsPass : llvm::PassInfoMixin<InterchangeLoopsPass> {
  struct Options {
    bool groupAgnostic = false;  ///< the kernel cannot tell where a work-group ends (KernelInfo::groupAgnostic)
    bool always =
        true;  ///< otherwise only where the step is known, which is not the number of work-items (Shape::interchange)
  };
  explicit InterchangeLoopsPass(Options options) : options(options) {}
  InterchangeLoopsPass() = default;
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
  Options options;
};

}  // namespace clarity::compiler
