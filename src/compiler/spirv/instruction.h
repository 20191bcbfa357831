// SPDX-License-Identifier: Apache-2.0
// This file declares an instruction of a module as the reader sees it, and the refusal of a module. Operands may be
// used by position, because check_operands.h has compared every instruction with the grammar.
#pragma once

#include "compiler/spirv/grammar.h"

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace clarity::compiler::spirv {

/// The reason why a module is not accepted. Thrown and caught in this folder only (reader.cpp).
struct Refusal {
  std::string text;
};

/// One instruction. Refers to the words of the module.
struct Instruction {
  Op op = Op::Nop;
  std::uint32_t number = 0;                 ///< its place in the module, from 1; 0 for one inside OpSpecConstantOp
  std::uint32_t type = 0;                   ///< the id of the result's type, or 0
  std::uint32_t result = 0;                 ///< the id of the result, or 0
  std::span<const std::uint32_t> operands;  ///< the words behind those two

  std::size_t count() const { return operands.size(); }
  bool has(std::size_t index) const { return index < operands.size(); }
  /// A word. Refuses the module if the instruction has fewer.
  std::uint32_t operator[](std::size_t index) const;
  /// The operands from one on; none if there are fewer.
  std::span<const std::uint32_t> from(std::size_t index) const;
  template <class Enumeration>
  Enumeration as(std::size_t index) const {
    return static_cast<Enumeration>((*this)[index]);
  }
};

/// A literal string that begins at a word, and the number of words that it takes, with its end.
struct Literal {
  std::string text;
  std::size_t words = 0;
};
/// Refuses the module if the string does not end in these words.
Literal literalString(const Instruction& instruction, std::size_t index);

[[noreturn]] void refuseText(const Instruction& instruction, const std::string& text);

/// Refuses the module: "instruction 12 (OpLoad): " and the text.
template <class... Values>
[[noreturn]] void refuse(const Instruction& instruction, fmt::format_string<Values...> format, Values&&... values) {
  refuseText(instruction, fmt::format(format, std::forward<Values>(values)...));
}

template <class... Values>
void require(bool holds, const Instruction& instruction, fmt::format_string<Values...> format, Values&&... values) {
  if (!holds) refuseText(instruction, fmt::format(format, std::forward<Values>(values)...));
}

}  // namespace clarity::compiler::spirv
