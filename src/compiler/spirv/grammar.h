// SPDX-License-Identifier: Apache-2.0
// This file declares SPIR-V's grammar: which operands an instruction has, and the names of instructions and
// enumerants. The tables are made of Khronos' JSON files when Clarity is built (make_grammar.py).
#pragma once

#include "compiler/spirv/grammar_enums.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace clarity::compiler::spirv {

enum class Quantifier : std::uint8_t { One, Optional, Many };

struct OperandRow {
  OperandKind kind;
  Quantifier quantifier;
};

struct OpcodeRow {
  std::uint16_t code;
  const char* name;  ///< "OpLoad"
  bool hasType;      ///< the first operand is the id of the result's type
  bool hasResult;
  std::uint16_t firstOperand;  ///< the first of the operands behind those two
  std::uint16_t operandCount;

  std::span<const OperandRow> operands() const;
};

struct EnumerantRow {
  OperandKind kind;
  std::uint32_t value;
  const char* name;
  std::uint16_t firstParameter;
  std::uint16_t parameterCount;

  std::span<const OperandRow> parameters() const;
};

/// nullptr for a number that no instruction has.
const OpcodeRow* findOpcode(std::uint32_t code);
/// nullptr for a value that the kind does not have. A value of a kind of bits is one bit.
const EnumerantRow* findEnumerant(OperandKind kind, std::uint32_t value);
/// Whether values of the kind are bits, each with its own parameters.
bool isMask(OperandKind kind);
/// Whether values of the kind are in the table of enumerants.
bool isEnumeration(OperandKind kind);

/// "OpLoad", or "instruction 9999" for what has no name.
std::string nameOf(Op op);
/// "Float16", or the number.
std::string nameOf(OperandKind kind, std::uint32_t value);
inline std::string nameOf(Capability value) { return nameOf(OperandKind::Capability_, std::uint32_t(value)); }
inline std::string nameOf(StorageClass value) { return nameOf(OperandKind::StorageClass_, std::uint32_t(value)); }
/// The name of a function of OpenCL.std, "fmax"; empty for a number that the set does not have.
std::string_view nameOf(Std function);

}  // namespace clarity::compiler::spirv
