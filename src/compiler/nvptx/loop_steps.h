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

/// Whether neighbours along x leave a loop by a branch in the same iteration or the next one: their counters start no
/// further apart than the step and end at the same bound, as in `for (i = id; i < n; i += size)`.
bool exitsEvenly(const llvm::Instruction& branch, const llvm::Loop& loop, const VarianceInfo& variance);

/// The dimensions along which a block's branch out of a loop is divergent: work-items leave in different iterations.
Dimensions dimensionsOfDivergentExit(const llvm::BasicBlock& block, const llvm::Loop& loop,
                                     const llvm::PostDominatorTree& after, const VarianceInfo& variance);

/// Whether a work-item accesses what its neighbours along x access in other iterations, as a window along a row does.
/// @param variance of the address
bool slidesAlongX(const llvm::Value& address, const llvm::Loop& loop, const ValueVariance& variance);

}  // namespace clarity::compiler::nvptx
