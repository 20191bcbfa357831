// SPDX-License-Identifier: Apache-2.0
// This file looks things up in the tables of the grammar.
#include "compiler/spirv/grammar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace clarity::compiler::spirv {
namespace {

struct StdRow {
  std::uint32_t code;
  const char* name;
};

#include "compiler/spirv/grammar_tables.inc"

/// The rows of opcodes by their numbers, from 1; 0 for numbers that no instruction has.
constexpr auto rowsByOpcode = [] {
  std::array<std::uint16_t, std::end(opcodeRows)[-1].code + 1> rows{};
  for (std::size_t i = 0; i < std::size(opcodeRows); ++i) rows[opcodeRows[i].code] = static_cast<std::uint16_t>(i + 1);
  return rows;
}();

}  // namespace

const OpcodeRow* findOpcode(std::uint32_t code) {
  const std::size_t row = code < rowsByOpcode.size() ? rowsByOpcode[code] : 0;
  return row == 0 ? nullptr : &opcodeRows[row - 1];
}

const EnumerantRow* findEnumerant(OperandKind kind, std::uint32_t value) {
  const auto* const found =
      std::ranges::lower_bound(enumerantRows, std::pair(kind, value), {},
                               [](const EnumerantRow& row) { return std::pair(row.kind, row.value); });
  return found != std::end(enumerantRows) && found->kind == kind && found->value == value ? found : nullptr;
}

std::span<const OperandRow> OpcodeRow::operands() const { return {operandRows + firstOperand, operandCount}; }
std::span<const OperandRow> EnumerantRow::parameters() const { return {operandRows + firstParameter, parameterCount}; }

bool isMask(OperandKind kind) { return std::ranges::find(bitKinds, kind) != std::end(bitKinds); }

bool isEnumeration(OperandKind kind) { return kind > OperandKind::PairIdRefIdRef_; }

std::string nameOf(Op op) {
  const OpcodeRow* const row = findOpcode(static_cast<std::uint32_t>(op));
  return row ? row->name : fmt::format("instruction {}", static_cast<unsigned>(op));
}

std::string nameOf(OperandKind kind, std::uint32_t value) {
  const EnumerantRow* const row = findEnumerant(kind, value);
  return row ? row->name : std::to_string(value);
}

std::string_view nameOf(Std function) {
  const auto code = static_cast<std::uint32_t>(function);
  const auto* const found = std::ranges::lower_bound(stdRows, code, {}, &StdRow::code);
  return found != std::end(stdRows) && found->code == code ? found->name : std::string_view();
}

}  // namespace clarity::compiler::spirv
