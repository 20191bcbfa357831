// SPDX-License-Identifier: Apache-2.0
// This file reads operands of one instruction.
#include "compiler/spirv/instruction.h"

namespace clarity::compiler::spirv {

std::uint32_t Instruction::operator[](std::size_t index) const {
  if (index >= operands.size()) refuse(*this, "operand {} is missing", index + 1);
  return operands[index];
}

std::span<const std::uint32_t> Instruction::from(std::size_t index) const {
  return index < operands.size() ? operands.subspan(index) : std::span<const std::uint32_t>();
}

Literal literalString(const Instruction& instruction, std::size_t index) {
  Literal literal;
  for (const std::uint32_t word : instruction.from(index)) {
    ++literal.words;
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const char character = static_cast<char>(word >> shift & 0xff);
      if (character == '\0') return literal;
      literal.text += character;
    }
  }
  refuse(instruction, "a literal string does not end in it");
}

void refuseText(const Instruction& instruction, const std::string& text) {
  if (instruction.number == 0) throw Refusal{fmt::format("{}: {}", nameOf(instruction.op), text)};
  throw Refusal{fmt::format("instruction {} ({}): {}", instruction.number, nameOf(instruction.op), text)};
}

}  // namespace clarity::compiler::spirv
