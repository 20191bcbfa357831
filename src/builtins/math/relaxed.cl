// SPDX-License-Identifier: Apache-2.0
// This file defines what stands for the float functions in programs built with -cl-unsafe-math-optimizations or
// -cl-fast-relaxed-math (formOf in builtins.h), within the bounds of OpenCL 3.0, 7.4, for those.

#include "prelude.clh"
#include "math/short.clh"

#define RELAXED(NAME) __clarity_relaxed_##NAME
#define PI 0x1.921fb6p+1f

#define ELEMENTARY(N, ...)                                                                                             \
  BUILTIN float##N RELAXED(cos)(float##N x) { return relaxedCos(x); }                                                  \
  BUILTIN float##N RELAXED(sin)(float##N x) { return relaxedSin(x); }                                                  \
  BUILTIN float##N RELAXED(tan)(float##N x) { return relaxedTan(x); }                                                  \
  BUILTIN float##N RELAXED(exp)(float##N x) { return relaxedExp(x); }                                                  \
  BUILTIN float##N RELAXED(exp2)(float##N x) { return relaxedExp2(x); }                                                \
  BUILTIN float##N RELAXED(exp10)(float##N x) { return relaxedExp10(x); }                                              \
  BUILTIN float##N RELAXED(log)(float##N x) { return relaxedLog(x); }                                                  \
  BUILTIN float##N RELAXED(log2)(float##N x) { return relaxedLog2(x); }                                                \
  BUILTIN float##N RELAXED(log10)(float##N x) { return relaxedLog10(x); }
EACH_WIDTH(ELEMENTARY, )

#define SINCOS(A, N)                                                                                                   \
  BUILTIN float##N RELAXED(sincos)(float##N x, A float##N *cosine) {                                                   \
    *cosine = relaxedCos(x);                                                                                           \
    return relaxedSin(x);                                                                                              \
  }
#define SINCOS_SPACES(N, ...) EACH_WRITABLE_SPACE(SINCOS, N)
EACH_WIDTH(SINCOS_SPACES, )

// A negative base to an odd integer gives a negative power; to a number that is not an integer, NaN.
#define POWERS(N, ...)                                                                                                 \
  BUILTIN float##N RELAXED(powr)(float##N x, float##N y) { return relaxedExp2(y * relaxedLog2(x)); }                   \
  BUILTIN float##N RELAXED(pow)(float##N x, float##N y) {                                                              \
    float##N power = relaxedExp2(y * relaxedLog2(__builtin_elementwise_abs(x)));                                       \
    float##N halved = y * 0.5f;                                                                                        \
    int##N integral = MASK_##N(__builtin_elementwise_rint(y) == y);                                                    \
    int##N odd = integral & MASK_##N(__builtin_elementwise_rint(halved) != halved);                                    \
    int##N sign = AS(x, float##N, int##N) & INT_MIN & odd;                                                             \
    power = AS(AS(power, float##N, int##N) ^ sign, int##N, float##N);                                                  \
    power = (MASK_##N(x < (float##N)0) & ~integral) != (int##N)0 ? (float##N)NAN_OF(float) : power;                    \
    return y == (float##N)0 ? (float##N)1 : power;                                                                     \
  }                                                                                                                    \
  BUILTIN float##N RELAXED(pown)(float##N x, int##N n) {                                                               \
    float##N power = relaxedExp2(CONVERT_##N(n, float##N) * relaxedLog2(__builtin_elementwise_abs(x)));                \
    int##N sign = AS(x, float##N, int##N) & INT_MIN & (n << 31);                                                       \
    power = AS(AS(power, float##N, int##N) ^ sign, int##N, float##N);                                                  \
    return n == (int##N)0 ? (float##N)1 : power;                                                                       \
  }
EACH_WIDTH(POWERS, )

// atan(a) = a + a^3 ARC_TANGENT(a^2) for 0 <= a <= 1, asin(a) = a + a^3 ARC_SINE(a^2) up to 1/2; errors 1.1e-7, 5e-9.
#define ARC_TANGENT(t)                                                                                                 \
  ((((((-0x1.3c0d78p-8f * t + 0x1.953ee2p-6f) * t + -0x1.ed2f9ep-5f) * t + 0x1.984f3p-4f) * t + -0x1.1f9106p-3f) * t + \
    0x1.99126ap-3f) * t + -0x1.5552dep-2f)
#define ARC_SINE(t)                                                                                                    \
  ((((0x1.596d32p-5f * t + 0x1.8c283p-6f) * t + 0x1.747e4cp-5f) * t + 0x1.3301e4p-4f) * t + 0x1.5555c8p-3f)

#define ARCS(N, ...)                                                                                                   \
  HELPER float##N arcTangent(float##N a) {                                                                             \
    FUSED                                                                                                              \
    float##N square = a * a;                                                                                           \
    return a * square * ARC_TANGENT(square) + a;                                                                       \
  }                                                                                                                    \
  BUILTIN float##N RELAXED(atan)(float##N x) {                                                                         \
    float##N a = __builtin_elementwise_abs(x);                                                                         \
    float##N arc = arcTangent(a > (float##N)1 ? 1.0f / a : a);                                                         \
    return __builtin_elementwise_copysign(a > (float##N)1 ? HALF_PI - arc : arc, x);                                   \
  }                                                                                                                    \
  BUILTIN float##N RELAXED(atan2)(float##N y, float##N x) {                                                            \
    float##N ax = __builtin_elementwise_abs(x), ay = __builtin_elementwise_abs(y);                                     \
    float##N lesser = ax < ay ? ax : ay, greater = ax < ay ? ay : ax;                                                  \
    float##N equal = greater == (float##N)0 ? (float##N)0 : (float##N)1;                                               \
    float##N arc = arcTangent(lesser == greater ? equal : lesser / greater);                                           \
    arc = ax < ay ? HALF_PI - arc : arc;                                                                               \
    arc = AS(x, float##N, int##N) < (int##N)0 ? PI - arc : arc;                                                        \
    return __builtin_elementwise_copysign(arc, y);                                                                     \
  }                                                                                                                    \
  HELPER float##N arcSine(float##N a) {                                                                                \
    FUSED                                                                                                              \
    float##N square = a > (float##N)0.5f ? 0.5f - 0.5f * a : a * a;                                                    \
    float##N sine = a > (float##N)0.5f ? __builtin_elementwise_sqrt(square) : a;                                       \
    return sine * square * ARC_SINE(square) + sine;                                                                    \
  }                                                                                                                    \
  BUILTIN float##N RELAXED(asin)(float##N x) {                                                                         \
    float##N a = __builtin_elementwise_abs(x), arc = arcSine(a);                                                       \
    return __builtin_elementwise_copysign(a > (float##N)0.5f ? HALF_PI - 2.0f * arc : arc, x);                         \
  }                                                                                                                    \
  BUILTIN float##N RELAXED(acos)(float##N x) {                                                                         \
    float##N a = __builtin_elementwise_abs(x), arc = arcSine(a);                                                       \
    float##N far = x < (float##N)0 ? PI - 2.0f * arc : 2.0f * arc;                                                     \
    return a > (float##N)0.5f ? far : HALF_PI - __builtin_elementwise_copysign(arc, x);                                \
  }
EACH_WIDTH(ARCS, )

// tanh(a) = a + a^3 TANH(a^2) for 0 <= a <= 5/8, sinh(a) = a + a^3 SINH(a^2) up to 1.
#define TANH(t)                                                                                                        \
  ((((-0x1.75e1e4p-8f * t + 0x1.5226a2p-6f) * t + -0x1.b83c5cp-5f) * t + 0x1.110726p-3f) * t + -0x1.555532p-2f)
#define SINH(t) ((0x1.ab3c66p-13f * t + 0x1.10f77cp-7f) * t + 0x1.555598p-3f)
#define HYPERBOLIC(N, ...)                                                                                             \
  BUILTIN float##N RELAXED(cosh)(float##N x) {                                                                         \
    float##N power = relaxedExp(__builtin_elementwise_abs(x));                                                         \
    return 0.5f * power + 0.5f / power;                                                                                \
  }                                                                                                                    \
  BUILTIN float##N RELAXED(sinh)(float##N x) {                                                                         \
    FUSED                                                                                                              \
    float##N a = __builtin_elementwise_abs(x), square = a * a, power = relaxedExp(a);                                  \
    float##N small = a * square * SINH(square) + a;                                                                    \
    return __builtin_elementwise_copysign(a < (float##N)1 ? small : 0.5f * power - 0.5f / power, x);                   \
  }                                                                                                                    \
  BUILTIN float##N RELAXED(tanh)(float##N x) {                                                                         \
    FUSED                                                                                                              \
    float##N a = __builtin_elementwise_abs(x), square = a * a;                                                         \
    float##N small = a * square * TANH(square) + a;                                                                    \
    float##N large = 1.0f - 2.0f / (relaxedExp(a + a) + 1.0f);                                                         \
    return __builtin_elementwise_copysign(a < (float##N)0.625f ? small : large, x);                                    \
  }
EACH_WIDTH(HYPERBOLIC, )
