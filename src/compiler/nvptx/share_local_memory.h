// SPDX-License-Identifier: Apache-2.0
// This file has neighbouring work-groups fill variables in local memory once for all of them.
#pragma once

#include <llvm/IR/PassManager.h>

#include <cstdint>

namespace clarity::compiler::nvptx {

/// Notes at loads and stores which variable in local memory they access, before passes mix the addresses of several.
///
///   before:  %v = load float, ptr addrspace(3) %tile.element
///   after:   %v = load float, ptr addrspace(3) %tile.element, !clarity.local.variable !{i32 1}
struct NameLocalAccessesPass : llvm::PassInfoMixin<NameLocalAccessesPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

/// Makes one work-group of `groups` neighbours along x (interleaveAlongZ), and variables that all of them fill with the
/// same values one variable: of the tiles of a matrix product, that of the rows that they have in common.
///
///   tile[y][x] = a[row * n + k + x];   the row is the same for neighbours along x: one tile
///   other[y][x] = b[(k + y) * n + col];   the column is another: a tile for each
///
/// Work-groups that are in step store a value once instead of several times, between the same barriers.
/// False where no loop loads from such a variable; the kernel is to be restored then. Beside matrix products, warps
/// execute a third fewer instructions of nearest neighbours' distances and of shortest paths in blocks (docs/gpu.md).
///
/// Needs: name-local-accesses.
bool shareLocalMemory(llvm::Function& kernel, std::uint64_t groups);

}  // namespace clarity::compiler::nvptx
