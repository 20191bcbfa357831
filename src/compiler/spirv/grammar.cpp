// SPDX-License-Identifier: Apache-2.0
// This file looks things up in the tables of the grammar.
#include "compiler/spirv/grammar.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace clarity::compiler::spirv {
namespace {

struct StdRow {
  std::uint32_t code;
  const char* name;
};

#include "compiler/spirv/grammar_tables.inc"

}  // namespace

std::span<const OperandRow> OpcodeRow::operands() const { return {operandRows + firstOperand, operandCount}; }
std::span<const OperandRow> EnumerantRow::parameters() const { return {operandRows + firstParameter, parameterCount}; }

const OpcodeRow* findOpcode(std::uint32_t code) {
  const auto* const found =
      std::ranges::lower_bound(opcodeRows, code, {}, [](const OpcodeRow& row) { return std::uint32_t(row.code); });
  return found != std::end(opcodeRows) && found->code == code ? found : nullptr;
}

const EnumerantRow* findEnumerant(OperandKind kind, std::uint32_t value) {
  const auto* const found =
      std::ranges::lower_bound(enumerantRows, std::pair(kind, value), {},
                               [](const EnumerantRow& row) { return std::pair(row.kind, row.value); });
  return found != std::end(enumerantRows) && found->kind == kind && found->value == value ? found : nullptr;
}

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
