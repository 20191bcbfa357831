// SPDX-License-Identifier: Apache-2.0
// This file says what counts as an operation of floating-point.
#pragma once

namespace llvm {
class Instruction;
}

namespace clarity::compiler {

/// Operations of floating-point in each lane of an instruction; 0: it computes nothing of that kind.
unsigned floatOperationsOf(const llvm::Instruction& instruction);

}  // namespace clarity::compiler
