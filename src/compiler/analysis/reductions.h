// SPDX-License-Identifier: Apache-2.0
// This file declares what tells buffers in which a kernel only counts: histograms, sums, flags.
#pragma once

#include "compiler/compiler.h"

namespace llvm {
class Argument;
class Instruction;
}  // namespace llvm

namespace clarity::compiler {

/// What the kernel does with the memory of an argument, if nothing is left but atomic functions of one kind, on
/// integers of one size, whose results nobody uses. The order of memory does not matter: what others see of the copies
/// they see when the kernel ends, and until then nobody in the kernel looks.
Reduction reductionOf(const llvm::Argument& argument);

/// Notes with each atomic function on a reduction that it is one.
void markReduction(const llvm::Argument& argument);

/// Whether this is an atomic function on a reduction.
bool isOnReduction(const llvm::Instruction& instruction);

}  // namespace clarity::compiler
