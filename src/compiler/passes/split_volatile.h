// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that accesses the elements of volatile vectors one by one.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `split-volatile`: volatile loads and stores of vectors become volatile accesses to their elements, in order.
/// OpenCL C promises nothing for a vector as a whole, and llvm::ScalarizerPass leaves volatile accesses alone, which
/// would keep the work-items of such a kernel out of packets. In packets, the lanes access volatile memory one after
/// the other: where an iteration of the innermost loops always accesses such vectors, which is most of what it does,
/// all stay as they are.
///   before:  store volatile <2 x i32> %v, ptr %p
///   after:   store volatile i32 %v.0, ptr %p
///            store volatile i32 %v.1, ptr %p + 4
struct SplitVolatilePass : llvm::PassInfoMixin<SplitVolatilePass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
