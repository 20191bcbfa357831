// SPDX-License-Identifier: Apache-2.0
// This file parses conversion specifications of OpenCL C's printf (OpenCL C 3.1, section 6.15.14), for the compiler,
// which warns of invalid ones, and for the device, which prints.
#pragma once

#include <cstring>
#include <optional>
#include <string>

namespace clarity::support {

/// Length modifiers; `HL` exists in OpenCL C only, for vectors of 32-bit elements.
enum class PrintfLength { None, HH, H, HL, L };

/// One conversion specification: %[flags][width][.precision][vector][length]conversion.
struct PrintfConversion {
  std::string flags;      ///< flags, width and precision as C's printf takes them
  unsigned elements = 1;  ///< elements of a vector
  PrintfLength length = PrintfLength::None;
  char conversion = 0;
  /// Valid in C but not in OpenCL C, with a clear meaning: the lengths ll and j, and z and t of what is no integer,
  /// treated as `l`; vectors without a length, treated as vectors of 32-bit elements.
  bool foreign = false;
  bool since31 = false;  ///< the lengths z and t of integers, which OpenCL C has from 3.1 on; as wide as `l`

  bool isInteger() const { return conversion && std::strchr("diouxX", conversion); }
  bool isFloating() const { return conversion && std::strchr("fFeEgGaA", conversion); }
  bool isSigned() const { return conversion == 'd' || conversion == 'i'; }
};

/// Parses what follows a '%' and advances `at` past it. Nothing if it is invalid; `at` is then the first invalid
/// character.
std::optional<PrintfConversion> parsePrintfConversion(const char*& at);

}  // namespace clarity::support
