// SPDX-License-Identifier: Apache-2.0
// This file says what the runtime knows of a module of SPIR-V before it is built, and of the reader.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::compiler {

/// The first word of every module (SPIR-V 1.6, section 2.3).
inline constexpr std::uint32_t spirvMagic = 0x07230203;

/// Whether the bytes begin as a module does, in either order of bytes.
inline bool beginsLikeSpirv(std::string_view bytes) {
  std::uint32_t word = 0;
  if (bytes.size() < sizeof word) return false;
  std::memcpy(&word, bytes.data(), sizeof word);
  return word == spirvMagic || word == std::byteswap(spirvMagic);
}

/// A specialisation constant of a module: an instruction decorated with SpecId.
struct SpecializationConstant {
  std::uint32_t id = 0;     ///< SpecId's
  std::uint32_t bytes = 0;  ///< bytes of its value; a bool has 1
};

/// A module whose instructions follow the grammar.
struct SpirvFacts {
  std::uint32_t version = 0;                      ///< 0x00010400 is 1.4
  std::vector<SpecializationConstant> constants;  ///< in ascending order of ids, each id once
};

/// The parts of SPIR-V that the reader knows (cl_khr_spirv_queries).
struct SpirvSupport {
  std::vector<std::string> instructionSets;  ///< "OpenCL.std"
  std::vector<std::string> extensions;       ///< "SPV_KHR_expect_assume"
  std::vector<std::uint32_t> capabilities;   ///< by number, ascending
};

}  // namespace clarity::compiler
