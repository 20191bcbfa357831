// SPDX-License-Identifier: Apache-2.0
// This file has neighbouring work-groups fill variables in local memory once for all of them.
#pragma once

#include "compiler/analysis/variance.h"

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

/// Finds the variables in local memory that neighbouring work-groups along x fill with the same values: of the tiles of
/// a matrix product, that of the rows that they have in common.
///
///   tile[y][x] = a[row * n + k + x];   the row is the same for neighbours along x: one tile
///   other[y][x] = b[(k + y) * n + col];   the column is another: a tile for each
///
/// Needs: name-local-accesses.
/// @param axis along which the work-groups are to be counted (interleaveGroups)
/// @return with no access in common where no loop loads from such a variable
GroupsInStep findCommonVariables(llvm::Function& kernel, unsigned axis);

/// `share-local-memory`: work-groups that have become one have such variables once, and store a value once instead of
/// several times, between the same barriers:
///
///   before:  %own = gep %local_memory, %group * %bytes;  %e = gep %own, %i;  store float %v, ptr %e
///   after:   %e = gep %local_memory, %i;  store float %v, ptr %e
///
/// Beside matrix products, warps execute a third fewer instructions of nearest neighbours' distances and of shortest
/// paths in blocks (docs/gpu.md).
/// @param groups found in the code of one of them
void shareLocalMemory(llvm::Function& kernel, const GroupsInStep& groups);

/// `share-local-memory<GROUPS>`: makes one of so many work-groups of two dimensions, and does this with what they have
/// in common, if anything.
struct ShareLocalMemoryPass : llvm::PassInfoMixin<ShareLocalMemoryPass> {
  explicit ShareLocalMemoryPass(std::uint64_t groups) : groups(groups) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  std::uint64_t groups;
};

}  // namespace clarity::compiler::nvptx
