// SPDX-License-Identifier: Apache-2.0
// This file declares the question whether neighbouring work-items take as many iterations of a loop.
#pragma once

#include "compiler/analysis/variance.h"

namespace llvm {
class Instruction;
class Loop;
}  // namespace llvm

namespace clarity::compiler::nvptx {

/// Whether neighbours along x leave a loop by a branch in the same iteration or one after the other: their counters
/// start no further apart than an iteration goes, and end at the same bound, as in `for (i = id; i < n; i += size)`.
bool leaveEvenly(const llvm::Instruction& branch, const llvm::Loop& loop, const VarianceInfo& variance);

}  // namespace clarity::compiler::nvptx
