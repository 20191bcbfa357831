// SPDX-License-Identifier: Apache-2.0
// This file declares a module of SPIR-V as a list of instructions (SPIR-V 1.6, section 2.3).
#pragma once

#include "compiler/spirv/instruction.h"

#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

namespace clarity::compiler::spirv {

/// The highest bound of ids that is accepted (section 2.17).
inline constexpr std::uint32_t mostIds = 0x3fffff;

struct Binary {
  std::uint32_t version = 0;    ///< 0x00010400 is 1.4
  std::uint32_t generator = 0;  ///< number of the tool that wrote the module, and in the low half its version
  std::uint32_t bound = 0;      ///< all ids are below
  std::vector<std::uint32_t> words;
  std::vector<Instruction> instructions;          ///< refer to `words` and `joined`
  std::deque<std::vector<std::uint32_t>> joined;  ///< operands of instructions that others continue

  Binary() = default;
  Binary(Binary&&) = default;
  Binary& operator=(Binary&&) = default;
  Binary(const Binary&) = delete;
  Binary& operator=(const Binary&) = delete;
};

/// The module's instructions, each with the operands that the grammar demands and ids below the bound.
/// Throws a Refusal.
Binary parseBinary(std::string_view bytes);

}  // namespace clarity::compiler::spirv
