// SPDX-License-Identifier: Apache-2.0
// This file defines exponentials, logarithms and powers (OpenCL C 3.0, 6.15.2).

#include "prelude.clh"
#include "math/runtime.clh"
#include "math/float_exponential.clh"
#include "math/float_power.clh"
#include "math/log1p.clh"

RUNTIME_1(cbrt)
RUNTIME_1(expm1)
RUNTIME_2(hypot)

MAP_1(double, exp10, double, __clarity_exp10_f64)
MAP_1(double, exp2, double, __clarity_exp2_f64)
MAP_1(double, log, double, __clarity_log_f64)
MAP_1(double, log10, double, __clarity_log10_f64)
MAP_1(double, log2, double, __clarity_log2_f64)

// The runtime's exp of double overflows slightly too early. Close to that, exp(x) is EXP_FACTOR exp(x - EXP_SHIFT); the
// subtraction is exact.
#define EXP_SHIFT 0x1.62e4p-1
#define EXP_FACTOR 0x1.ffffd0105e9f8p+0
RUNTIME_PART_1(double, Exp, __clarity_exp_f64)
#define EXPONENTIALS(N, ...)                                                                                           \
  BUILTIN float##N exp(float##N x) { return floatExp(x); }                                                             \
  BUILTIN float##N exp10(float##N x) { return floatExp10(x); }                                                         \
  BUILTIN float##N exp2(float##N x) { return floatExp2(x); }                                                           \
  BUILTIN float##N log(float##N x) { return floatLog(x); }                                                             \
  BUILTIN float##N log10(float##N x) { return floatLog10(x); }                                                         \
  BUILTIN float##N log2(float##N x) { return floatLog2(x); }                                                           \
  BUILTIN double##N exp(double##N x) {                                                                                 \
    double##N power = runtimeExp(x > (double##N)709 ? x - EXP_SHIFT : x);                                              \
    return x > (double##N)709 ? power * EXP_FACTOR : power;                                                            \
  }
EACH_WIDTH(EXPONENTIALS, )
EACH_WIDTH(HALF_BY_FLOAT_1, exp)
EACH_WIDTH(HALF_BY_FLOAT_1, exp10)
EACH_WIDTH(HALF_BY_FLOAT_1, exp2)
EACH_WIDTH(HALF_BY_FLOAT_1, log)
EACH_WIDTH(HALF_BY_FLOAT_1, log10)
EACH_WIDTH(HALF_BY_FLOAT_1, log2)

#define WHOLE_LOG1P(N, T, I, U)                                                                                        \
  BUILTIN T##N log1p(T##N x) { return logOf(x, x, 0); }
EACH_SINGLE_OR_DOUBLE(WHOLE_LOG1P)
EACH_WIDTH(HALF_BY_FLOAT_1, log1p)

// ---- powers ----------------------------------------------------------------------------------------------

RUNTIME_PART_2(double, Pow, __clarity_pow_f64)

// The runtime's power of double overflows slightly too early. Powers that may be that large (1023 < y log2(|x|),
// estimated from the exponent of x) are the square of the power with half the exponent. The error of the square, an ulp
// or two, might cause an overflow: x to the power of 1 is x itself.
#define POW(N, ...)                                                                                                    \
  BUILTIN float##N pow(float##N x, float##N y) { return floatPow(x, y); }                                              \
  BUILTIN double##N pow(double##N x, double##N y) {                                                                    \
    double##N magnitude = __builtin_elementwise_abs(x), halved = y * 0.5;                                              \
    long##N exponent = (AS(magnitude, double##N, long##N) >> 52) - (y > (double##N)0 ? (long##N)1022 : (long##N)1023); \
    long##N large = MASK_##N(y * CONVERT_##N(exponent, double##N) > (double##N)1023);                                  \
    large &= MASK_##N(magnitude > (double##N)0) & MASK_##N(magnitude < (double##N)INFINITY);                           \
    large &= MASK_##N(y != (double##N)1);                                                                              \
    double##N base = large != (long##N)0 ? magnitude : x, by = large != (long##N)0 ? halved : y;                       \
    double##N power = by == (double##N)1 ? base : runtimePow(base, by);                                                \
    long##N integral = MASK_##N(__builtin_elementwise_rint(y) == y);                                                   \
    long##N odd = integral & MASK_##N(__builtin_elementwise_rint(halved) != halved);                                   \
    long##N negative = MASK_##N(x < (double##N)0);                                                                     \
    double##N square = (odd & negative) != (long##N)0 ? -power * power : power * power;                                \
    square = (negative & ~integral) != (long##N)0 ? (double##N)NAN_OF(double) : square;                                \
    return large != (long##N)0 ? square : power;                                                                       \
  }
EACH_WIDTH(POW, )
EACH_WIDTH(HALF_BY_FLOAT_2, pow)

// powr is pow without the cases that make a power defined for a negative base or by continuity (7.5.1).
#define POWR(N, T, I, U)                                                                                               \
  BUILTIN T##N powr(T##N x, T##N y) {                                                                                  \
    T##N zero = (T##N)(T)0, infinite = (T##N)INFINITY_OF(T);                                                           \
    T##N power = pow(__builtin_elementwise_abs(x), y);                                                                 \
    power = ((x < zero) | (x != x) | (y != y)) ? (T##N)NAN_OF(T) : power;                                              \
    power = ((y == zero) & ((x == zero) | (x == infinite))) ? (T##N)NAN_OF(T) : power;                                 \
    return ((x == (T##N)(T)1) & (__builtin_elementwise_abs(y) == infinite)) ? (T##N)NAN_OF(T) : power;                 \
  }
EACH_SINGLE_OR_DOUBLE(POWR)
EACH_WIDTH(HALF_BY_FLOAT_2, powr)

#define POWN(N, ...)                                                                                                   \
  BUILTIN float##N pown(float##N x, int##N n) { return floatPown(x, n); }                                              \
  BUILTIN float##N rootn(float##N x, int##N n) { return floatRootn(x, n); }                                            \
  BUILTIN double##N pown(double##N x, int##N n) { return pow(x, CONVERT_##N(n, double##N)); }
EACH_WIDTH(POWN, )
EACH_WIDTH(HALF_BY_FLOAT_INT, pown)

// 1/n is rounded to r, so that |x|^r is wrong by the factor |x|^(1/n - r), about 1 + r e log(|x|) with e = 1 - n r. For
// this small correction the exponent of x is precise enough. e is exact because n times the high half of r is.
#define ROOT_MASK ((long)0xfffffffff8000000)
#define ROOTN(N, ...)                                                                                                  \
  BUILTIN double##N rootn(double##N x, int##N n) {                                                                     \
    double##N magnitude = __builtin_elementwise_abs(x), degree = CONVERT_##N(n, double##N);                            \
    double##N inverse = 1 / degree;                                                                                    \
    double##N high = AS(AS(inverse, double##N, long##N) & ROOT_MASK, long##N, double##N);                              \
    double##N missing = (1 - degree * high) - degree * (inverse - high);                                               \
    long##N exponent = (AS(magnitude, double##N, long##N) >> MANTISSA_double) - BIAS_double;                           \
    double##N logarithm = CONVERT_##N(exponent, double##N) * 0x1.62e43p-1;                                             \
    double##N factor = 1 + inverse * missing * logarithm;                                                              \
    double##N root = pow(magnitude, inverse) * factor;                                                                 \
    long##N odd = CONVERT_##N(MASK_##N((n & 1) != (int##N)0), long##N);                                                \
    long##N undefined = CONVERT_##N(MASK_##N(n == (int##N)0), long##N) | (MASK_##N(x < (double##N)0) & ~odd);          \
    double##N result = odd != (long##N)0 ? __builtin_elementwise_copysign(root, x) : root;                             \
    return undefined != (long##N)0 ? (double##N)NAN_OF(double) : result;                                               \
  }
EACH_WIDTH(ROOTN, )
EACH_WIDTH(HALF_BY_FLOAT_INT, rootn)
