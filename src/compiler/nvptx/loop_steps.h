// SPDX-License-Identifier: Apache-2.0
// This file declares what the steps of a loop say about neighbouring work-items.
#pragma once

#include "compiler/analysis/variance.h"

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
class PostDominatorTree;
class Value;
}  // namespace llvm

namespace clarity::compiler::nvptx {

/// Whether neighbours along x leave a loop by a branch in the same iteration or one after the other: their counters
/// start no further apart than an iteration goes, and end at the same bound, as in `for (i = id; i < n; i += size)`.
bool leaveEvenly(const llvm::Instruction& branch, const llvm::Loop& loop, const VarianceInfo& variance);

/// Along which dimensions work-items leave a loop by a block's branch in different iterations.
Dimensions leavingApart(const llvm::BasicBlock& block, const llvm::Loop& loop, const llvm::PostDominatorTree& after,
                        const VarianceInfo& variance);

/// Whether a work-item accesses what its neighbours along x access in other iterations, as a window along a row does.
/// @param variance of the address
bool slidesAlongX(const llvm::Value& address, const llvm::Loop& loop, const ValueVariance& variance);

}  // namespace clarity::compiler::nvptx
