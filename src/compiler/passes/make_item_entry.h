// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that makes the entry of debugged code.
#pragma once

#include "compiler/ir/compiled_program.h"

#include <llvm/IR/PassManager.h>

#include <string>
#include <vector>

namespace clarity::compiler {

/// Makes an Entry (compiler/ir/kernel_abi.h) of which a call executes one work-item: it loads the arguments from the
/// argument block and calls the kernel, which stays a function, so that a debugger shows it with its parameters. The
/// slice is not read. The entry is the only symbol left.
///   after:  define void @entry(ptr %args, ptr %launch, ptr %slice, ptr %memory) { call void @kernel(...) }
struct MakeItemEntryPass : llvm::PassInfoMixin<MakeItemEntryPass> {
  struct Options {
    std::string kernel;
    std::vector<KernelArg> args;  ///< kinds and offsets in the argument block
    std::string entryName;
  };
  explicit MakeItemEntryPass(Options options) : options(std::move(options)) {}
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
  Options options;
};

}  // namespace clarity::compiler
