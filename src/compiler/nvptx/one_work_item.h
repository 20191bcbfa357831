// SPDX-License-Identifier: Apache-2.0
// This file finds code that one work-item alone executes, as in `if (get_global_id(0) == 0)`.
#pragma once

namespace llvm {
class BasicBlock;
class DominatorTree;
class Value;
}  // namespace llvm

namespace clarity::compiler {
class VarianceInfo;
}

namespace clarity::compiler::nvptx {

/// Whether a block is reached only by those work-items along a dimension whose id is one that they agree on.
bool isForOneWorkItem(const llvm::BasicBlock& block, const llvm::DominatorTree&, const VarianceInfo&);

/// The same where ids are PTX's registers: whether at most one thread of a warp executes a block.
bool isForOneThread(const llvm::BasicBlock& block, const llvm::DominatorTree&);

/// Whether a value may differ between the threads of a warp; blocks have whole warps along x, or are taken to differ.
bool differsInWarp(const llvm::Value& value);

}  // namespace clarity::compiler::nvptx
