// SPDX-License-Identifier: Apache-2.0
// This file declares in which kernels rows of work-items share no memory, so that long rows suit the memory best.
#pragma once

namespace llvm {
class LoopInfo;
}

namespace clarity::compiler {

struct ItemNest;
class VarianceInfo;

/// Whether each row of work-items along x accesses memory of its own, once and consecutively: then nothing is gained
/// where a few neighbouring rows stay in the nearest cache, and whole rows are what hardware prefetchers follow.
/// False where addresses do not tell.
bool hasSeparateRows(const ItemNest& nest, const VarianceInfo& variance, const llvm::LoopInfo& loops);

}  // namespace clarity::compiler
