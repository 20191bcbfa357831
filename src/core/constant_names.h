// SPDX-License-Identifier: Apache-2.0
// This file gives OpenCL's constants their names in sentences about errors. They are looked up when a sentence is
// formatted, so that a check that holds costs nothing: `failIf(wrong, code, "channel order {}", ConstantName{order})`.
#pragma once

#include <CL/cl.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace clarity::core {

/// "CL_RGBA" for 0x10b5; a number without a name here in hexadecimal digits. For channel orders and types, kinds of
/// memory objects, modes of samplers and names of properties, which Khronos numbers together; not for bits.
struct ConstantName {
  std::uint64_t value;
};
std::string textOf(ConstantName constant);

/// "CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR"; bits without a name in hexadecimal digits, "0" for none.
struct MemoryFlagNames {
  cl_mem_flags flags;
};
std::string textOf(MemoryFlagNames flags);

/// "channel order CL_RGBA and type CL_FLOAT".
struct FormatNames {
  cl_image_format format;
};
std::string textOf(FormatNames format);

/// Formats with textOf().
template <typename Names>
struct NamesFormatter : fmt::formatter<std::string> {
  template <typename Context>
  auto format(Names names, Context& context) const {
    return fmt::formatter<std::string>::format(textOf(names), context);
  }
};

}  // namespace clarity::core

template <>
struct fmt::formatter<clarity::core::ConstantName> : clarity::core::NamesFormatter<clarity::core::ConstantName> {};
template <>
struct fmt::formatter<clarity::core::MemoryFlagNames> : clarity::core::NamesFormatter<clarity::core::MemoryFlagNames> {
};
template <>
struct fmt::formatter<clarity::core::FormatNames> : clarity::core::NamesFormatter<clarity::core::FormatNames> {};
