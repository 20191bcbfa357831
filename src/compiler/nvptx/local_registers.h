// SPDX-License-Identifier: Apache-2.0
// This file keeps the local memory of a work-group that one warp executes in registers.
#pragma once

#include <llvm/IR/PassManager.h>

#include <string>

namespace clarity::compiler::nvptx {

/// For a kernel of which each warp executes a work-group, coarsened so that thread t has the work-items t, t + 32, ...:
/// element e of an array in local memory becomes a variable of thread e % 32, as element e / 32 of those that it has.
///
///   s[t + 64] = x;              =>      s2 = x;
///   if (t < 16)                         y = shuffle(s0, (t + 16) % 32);
///     s[t] += s[t + 16];                if (t < 16) s0 += y;
///
/// Elements of other threads are read by shuffles ahead of branches that the threads of the warp may take differently:
/// between two barriers no work-item may read what another one writes. Barriers that order local memory alone go.
///
/// It is done if all accesses to local memory have indices that depend on the work-item's number alone, one type for
/// each array, and stores are to elements of the thread's own. False with the reason in `why` elsewhere; the kernel is
/// unchanged then.
/// @param cells work-items of a thread
bool keepLocalMemoryInRegisters(llvm::Function& kernel, unsigned cells, std::string& why);

/// `promote-local-memory<CELLS>`: the same with a given number of cells.
struct PromoteLocalMemoryPass : llvm::PassInfoMixin<PromoteLocalMemoryPass> {
  explicit PromoteLocalMemoryPass(unsigned cells) : cells(cells) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  unsigned cells;
};

/// Asks this of a kernel before it is coarsened. One condition is left to keepLocalMemoryInRegisters: that elements of
/// others are read only where a warp's threads are together.
bool mayKeepLocalMemoryInRegisters(llvm::Function& kernel, unsigned cells, std::string& why);

}  // namespace clarity::compiler::nvptx
