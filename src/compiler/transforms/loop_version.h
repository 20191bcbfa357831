// SPDX-License-Identifier: Apache-2.0
// This file declares copies of loops: for launches in which indices do not wrap, and for the iterations that work-items
// have in common.
#pragma once

#include "compiler/analysis/polynomial.h"

namespace llvm {
class DominatorTree;
class IRBuilderBase;
class Loop;
class LoopInfo;
class Value;
}  // namespace llvm

namespace clarity::compiler {

class VarianceInfo;

/// Whether a sum of unsigned numbers is, in all work-items of a launch, one of so many bits (32 or 64) that 65,536 can
/// be added to it, as a condition that all work-items share; nullptr where that is not known from sizes and arguments.
llvm::Value* fitsInLaunch(const Polynomial& sum, unsigned bits, const VarianceInfo& variance,
                          llvm::IRBuilderBase& builder);

/// Whether a loop loads from places that depend on what it has loaded.
bool loadsByLoadedIndex(const llvm::Loop& loop);

/// Whether work-items meet in a loop: at barriers, or in functions of their sub-group.
bool meetsOthers(const llvm::Loop& loop);

/// Makes a copy of a loop that runs ahead of it, if the condition holds; nullptr: always. The loop goes on from where
/// it ends. Both end at their headers.
llvm::Loop& loopAhead(llvm::Loop& loop, llvm::Value* condition, llvm::LoopInfo& loops, llvm::DominatorTree& dominators);

/// Makes a copy of a loop that runs in its place if the condition holds, a value ahead of the loop. The loop has one
/// exit.
llvm::Loop& versionLoop(llvm::Loop& loop, llvm::Value& condition, llvm::LoopInfo& loops,
                        llvm::DominatorTree& dominators);

}  // namespace clarity::compiler
