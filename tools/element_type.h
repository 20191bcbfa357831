// SPDX-License-Identifier: Apache-2.0
// This file declares the element types of kernel arguments, as the command reads, writes and prints them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace clarity::tools {

enum class Scalar { Char, UChar, Short, UShort, Int, UInt, Long, ULong, Half, Float, Double };

struct ElementType {
  Scalar scalar = Scalar::UChar;
  unsigned lanes = 1;  ///< 1, 2, 3, 4, 8 or 16

  size_t scalarBytes() const;
  /// A 3-component vector has the size of four components (OpenCL C, section 6.3.5).
  unsigned storedLanes() const { return lanes == 3 ? 4 : lanes; }
  size_t bytes() const { return scalarBytes() * storedLanes(); }
  bool isFloating() const { return scalar >= Scalar::Half; }
  bool isSigned() const;
  std::string name() const;  ///< "float4"
  bool operator==(const ElementType&) const = default;
};

/// "float4", "unsigned int", "size_t"...; nothing for a type that the source defines.
std::optional<ElementType> parseElementType(std::string_view name);

/// One scalar in memory, as text: shortest digits that read back the same.
std::string scalarText(Scalar scalar, const std::byte* where);

/// Reads `text` as a value of the type and stores it; or returns an error. 0x1f, 1e-3, -inf, nan are values.
std::optional<std::string> storeScalar(Scalar scalar, std::string_view text, std::byte* where);

/// Stores a number, rounded to the type.
void storeNumber(Scalar scalar, double value, std::byte* where);
void storeInteger(Scalar scalar, std::uint64_t value, std::byte* where);

}  // namespace clarity::tools
