// SPDX-License-Identifier: Apache-2.0
// This file reads conversion specifications of OpenCL C's printf (OpenCL C 3.0, section 6.15.14), for the compiler, which warns of those
// that there are none of, and for the device, which prints.
#pragma once

#include <cstring>
#include <optional>
#include <string>

namespace clarity::support {

/// Length modifiers; `HL` is OpenCL C's own, for vectors of 32-bit elements.
enum class PrintfLength { None, HH, H, HL, L };

/// One conversion specification: %[flags][width][.precision][vector][length]conversion.
struct PrintfConversion {
  std::string flags;      ///< flags, width and precision as C's printf takes them
  unsigned elements = 1;  ///< of a vector
  PrintfLength length = PrintfLength::None;
  char conversion = 0;
  /// Of C and not of OpenCL C, but clear: lengths ll, j, z and t, which are `l` here, and vectors without a length, of 32-bit elements.
  bool foreign = false;

  bool isInteger() const { return conversion && std::strchr("diouxX", conversion); }
  bool isFloating() const { return conversion && std::strchr("fFeEgGaA", conversion); }
  bool isSigned() const { return conversion == 'd' || conversion == 'i'; }
};

/// Reads what follows a '%' and moves behind it; nothing when it is no specification, `at` is then where that shows.
std::optional<PrintfConversion> parsePrintfConversion(const char*& at);

}  // namespace clarity::support
