// SPDX-License-Identifier: Apache-2.0
// This file names the ways in which two values become one.
#pragma once

#include <cstdint>

namespace clarity::compiler {

/// The signed minimum and maximum of floating-point numbers are fmin and fmax.
enum class Combination : std::uint8_t { Add, Mul, SignedMin, SignedMax, UnsignedMin, UnsignedMax, And, Or, Xor };

}  // namespace clarity::compiler
