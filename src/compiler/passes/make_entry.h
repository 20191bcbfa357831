// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that makes the function the device calls (compiler/ir/kernel_abi.h).
#pragma once

#include "compiler/ir/compiled_program.h"

#include <llvm/IR/PassManager.h>

#include <string>
#include <vector>

namespace clarity::compiler {

/// Wraps the work-group function into an Entry: loads the arguments from the argument block, loops over the
/// work-groups of the slice and answers the group's queries from the launch. The entry is the only symbol left.
///   after:  define void @entry(ptr %args, ptr %launch, ptr %slice, ptr %memory) { for each group: <the function> }
struct MakeEntryPass : llvm::PassInfoMixin<MakeEntryPass> {
  struct Options {
    std::string kernel;           ///< the work-group function
    std::vector<KernelArg> args;  ///< kinds and offsets in the argument block
    std::string entryName;
    bool groupAgnostic = false;  ///< the function itself loops over the slice
    bool wideIds = false;
  };
  explicit MakeEntryPass(Options options) : options(std::move(options)) {}
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
  Options options;
};

}  // namespace clarity::compiler
