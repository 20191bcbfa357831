// SPDX-License-Identifier: Apache-2.0
// This file declares the math functions of runtime_math.def as C++ overloads for float and double. Their errors stay
// within the table of OpenCL C 3.0, 7.4, their edge cases follow 7.5. None touches errno's meaning or any global state
// that a kernel could see.
#pragma once

namespace clarity::builtins::math {

#define CLARITY_MATH_1(name) \
  float name(float x);       \
  double name(double x);
#define CLARITY_MATH_2(name)    \
  float name(float x, float y); \
  double name(double x, double y);
#define CLARITY_MATH_INT(name) \
  float name(float x, int n);  \
  double name(double x, int n);
#define CLARITY_MATH_2_INT(name) \
  int name(float x, float y);    \
  int name(double x, double y);
#include "builtins/runtime_math.def"

}  // namespace clarity::builtins::math
