// SPDX-License-Identifier: Apache-2.0
// This file declares the analysis that finds buffers in which a kernel only counts: histograms, sums, flags.
#pragma once

#include "compiler/ir/compiled_program.h"

namespace llvm {
class Argument;
class Instruction;
}  // namespace llvm

namespace clarity::compiler {

/// The reduction that the kernel performs in the memory of an argument, if all accesses to it are atomic functions of
/// one kind, on integers of one size, with unused results. Memory order does not matter: the private copies become
/// visible to others when the kernel ends, and the kernel itself never reads this memory.
Reduction reductionOf(const llvm::Argument& argument);

/// Notes with each atomic function on a reduction that it is one.
void markReduction(const llvm::Argument& argument);

/// Whether this is an atomic function on a reduction.
bool isOnReduction(const llvm::Instruction& instruction);

}  // namespace clarity::compiler
