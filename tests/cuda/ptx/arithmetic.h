// SPDX-License-Identifier: Apache-2.0
// This file declares decoders of operations that have forms for several kinds of types.
#pragma once

#include "decoding.h"

namespace clarity::ptx {

void integerSum(Decoding&, Type, bool isSub);
void integerDivision(Decoding&, Type);
void integerMin(Decoding&, Type);
void integerMax(Decoding&, Type);
void integerAbs(Decoding&, Type);
void integerNeg(Decoding&, Type);
void integerProduct(Decoding&, Type);
void integerProductSum(Decoding&, Type);

enum class Sum : std::uint8_t { Add, Sub, Mul, Fma, Div, Sqrt, Rcp };
/// Sums of f32 and f64, with rounding, .ftz and .sat.
void floatSum(Decoding&, Type, Sum);
void floatMinMax(Decoding&, Type, bool isMax);
void floatSign(Decoding&, Type, bool isAbs);
/// Sums of half, bfloat16 and pairs of them.
void halfSum(Decoding&, Type, Sum);
void halfMinMax(Decoding&, Type, bool isMax);
void halfSign(Decoding&, Type, bool isAbs);
/// With the rounding `target` of the instruction, a value of fesetround.
Handler roundedSum(Type, Sum);

/// Adds "ex2" and the like.
void halfFunction(Decoding&, Type, double (*)(double));

}  // namespace clarity::ptx
