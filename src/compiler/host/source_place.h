// SPDX-License-Identifier: Apache-2.0
// This file is a place in a program's source, as a fault is reported with it.
#pragma once

#include <cstdint>
#include <string>

namespace clarity::compiler {

struct SourcePlace {
  std::string function;                ///< as the source names it
  std::string file;                    ///< as diagnostics name it
  std::uint32_t line = 0, column = 0;  ///< from 1; column 0: unknown
  bool operator==(const SourcePlace&) const = default;
};

}  // namespace clarity::compiler
