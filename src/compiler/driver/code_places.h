// SPDX-License-Identifier: Apache-2.0
// This file says which kernel and which line of its source an instruction of loaded code is of, for profiles. Code that
// has been unloaded since is remembered.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace clarity::compiler {

/// Remembers all code that is loaded from now on. Before the first launch.
void keepCodePlaces();

struct CodePlace {
  std::string kernel;    ///< empty: the instruction is of no kernel
  std::string function;  ///< the source's function; empty like `file` where the line is not known
  std::string file;
  std::uint32_t line = 0;
  /// The lines of the same file that called the function, where it is inlined: innermost first.
  std::vector<std::uint32_t> callers{};
};
CodePlace codePlaceOf(const void* instruction);

}  // namespace clarity::compiler
