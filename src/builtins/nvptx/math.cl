// SPDX-License-Identifier: Apache-2.0
// This file gives the math functions that runtime_math.def lists, which the CPU takes from SLEEF, libclc's form for
// NVIDIA GPUs.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define CLARITY_MATH_1(name, accuracy)                                                                                 \
  float __attribute__((overloadable)) name(float);                                                                     \
  double __attribute__((overloadable)) name(double);                                                                   \
  float __clarity_##name##_f32(float x) { return name(x); }                                                            \
  double __clarity_##name##_f64(double x) { return name(x); }
#define CLARITY_MATH_2(name, accuracy)                                                                                 \
  float __attribute__((overloadable)) name(float, float);                                                              \
  double __attribute__((overloadable)) name(double, double);                                                           \
  float __clarity_##name##_f32(float x, float y) { return name(x, y); }                                                \
  double __clarity_##name##_f64(double x, double y) { return name(x, y); }
#define CLARITY_MATH_EXACT_2(name) CLARITY_MATH_2(name, exact)
#include "../runtime_math.def"
