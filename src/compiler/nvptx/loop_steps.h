// SPDX-License-Identifier: Apache-2.0
// This file declares what the steps of a loop say about neighbouring work-items.
#pragma once

#include "compiler/analysis/variance.h"

namespace llvm {
class BasicBlock;
class Function;
class Loop;
class LoopInfo;
class PostDominatorTree;
class Value;
}  // namespace llvm

namespace clarity::compiler::nvptx {

/// Whether neighbouring work-items along x, and neighbouring work-groups along x, leave every loop in the same
/// iteration or the next one. Their counters start no further apart than the step and end at the same bound, as in `for
/// (i = id; i < n; i += size)`; or start and bound are equally far apart, as in `for (i = group * part; i < min(group *
/// part + part, n); ++i)`.
bool loopsEvenly(llvm::Function& kernel, const llvm::LoopInfo& loops, const llvm::PostDominatorTree& after,
                 const VarianceInfo& variance);

/// The dimensions along which a block's branch out of a loop is divergent: work-items leave in different iterations.
Dimensions dimensionsOfDivergentExit(const llvm::BasicBlock& block, const llvm::Loop& loop,
                                     const llvm::PostDominatorTree& after, const VarianceInfo& variance);

/// Whether a work-item accesses what its neighbours along x access in other iterations, as a window along a row does.
/// @param variance of the address
bool slidesAlongX(const llvm::Value& address, const llvm::Loop& loop, const ValueVariance& variance);

}  // namespace clarity::compiler::nvptx
