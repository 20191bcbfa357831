// SPDX-License-Identifier: Apache-2.0
// This file declares the comparison of an instruction with the grammar.
#pragma once

#include "compiler/spirv/instruction.h"

namespace clarity::compiler::spirv {

/// Refuses the module if the instruction has too few or too many operands, an id that is not below the bound, a string
/// that does not end, or an enumerant that does not exist. Decorations that are not in the grammar are accepted: they
/// are hints. The words of a number, and the targets of OpSwitch, depend on a type and are not looked at.
void checkOperands(const Instruction& instruction, const OpcodeRow& row, std::uint32_t bound);

}  // namespace clarity::compiler::spirv
