// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that turns copies of structures into loads and stores of their members.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `split-copies`: clang assigns structures, and initialises small arrays, by copying or filling a block of memory.
/// Packets have no vector form of that and let one work-item after the other do it. A private array that is also filled
/// in one piece is not laid out by lanes, so that each access to it is a gather. Members have both.
///
///   before:  call void @llvm.memcpy(ptr %to, ptr %from, i64 8, i1 false)
///   after:   %a = load i32, ptr %from                        store i32 %a, ptr %to
///            %b = load i32, ptr (%from + 4)                  store i32 %b, ptr (%to + 4)
///
/// The members are those of the source where it is known what they are, and otherwise pieces as large as the alignment
/// and the elements of private arrays permit. Long blocks stay as they are.
struct SplitCopiesPass : llvm::PassInfoMixin<SplitCopiesPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
