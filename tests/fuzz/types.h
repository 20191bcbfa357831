// SPDX-License-Identifier: Apache-2.0
// This file names the types that random kernels compute with: the scalars of OpenCL C and their vectors.
#pragma once

#include <cstdint>
#include <string>

namespace clarity::fuzz {

enum class Base : std::uint8_t { Char, UChar, Short, UShort, Int, UInt, Long, ULong, Float, Double, Half };
inline constexpr int kBaseCount = 11;

struct Type {
  Base base = Base::Int;
  int lanes = 1;

  bool operator==(const Type&) const = default;
  bool isFloating() const { return base >= Base::Float; }
  bool isInteger() const { return !isFloating(); }
  bool isSigned() const { return isFloating() || static_cast<int>(base) % 2 == 0; }
  bool isVector() const { return lanes > 1; }
  /// Integers that C promotes to int before it computes with them.
  bool isPromoted() const { return base <= Base::UShort && lanes == 1; }
  /// Bytes of one lane.
  int size() const;
  int bits() const { return 8 * size(); }
  std::string name() const;
  Type element() const { return {base, 1}; }
  Type withLanes(int count) const { return {base, count}; }
  /// The integer types of the same shape.
  Type asUnsigned() const;
  Type asSigned() const;
};

inline constexpr Type kInt{Base::Int, 1}, kUInt{Base::UInt, 1}, kLong{Base::Long, 1}, kULong{Base::ULong, 1};

}  // namespace clarity::fuzz
