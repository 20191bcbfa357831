// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that gives index arithmetic by blocks of work-items a form in which no packet lies in two
// of them.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// FFTs, sorting networks and kernels that number the elements of a matrix take their ids apart: `id % width`, `id /
/// width`, `id & (half - 1)`, `id ^ distance`, `id >> stage`. By what, only the launch tells. Where it is a multiple of
/// as many work-items as a tile has, and packets begin at multiples of that, all lanes of a packet lie in one block:
/// there the remainder grows by one from lane to lane and the quotient is the same in all. The pass asks ahead of the
/// loops whether that holds, and makes a second form of them for when it does, in which such operations are marked with
/// what they grow by (inStepMetadata). Memory that is indexed with them is consecutive there, or in one place, where it
/// is gathered otherwise.
///
/// The marks hold within the tile only: PacketsPass makes none that is wider than the nest's mark says (blockMetadata).
///
/// Needs: WorkItemLoopsPass, NarrowIndicesPass, FoldGuardsPass.
struct VersionBlocksPass : llvm::PassInfoMixin<VersionBlocksPass> {
  struct Options {
    unsigned vectorBits = 256;  ///< bits of a register
    unsigned lanes = 0;         ///< lanes of packets, if an option says so
  };
  explicit VersionBlocksPass(Options options) : options(options) {}
  VersionBlocksPass() = default;
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  Options options;
};

}  // namespace clarity::compiler
