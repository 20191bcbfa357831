// SPDX-License-Identifier: Apache-2.0
// This file defines the hyperbolic functions, the error functions and the gamma functions (OpenCL C 3.0, 6.15.2).

#include "prelude.clh"
#include "math/runtime.clh"
#include "math/half_turns.clh"
#include "math/double_hyperbolic.clh"
#include "math/log1p.clh"

// exp(x) / 2 overflows later than exp(x). It is LATE_FACTOR exp(x - LATE_SHIFT); the subtraction is exact from 64 on.
// The shift is above ln 2, so that the power does not overflow before the product.
#define LATE_SHIFT 0x1.62e5p-1f
#define LATE_FACTOR_float 0x1.000068p+0f

#include "math/float_hyperbolic.clh"

#define HYPERBOLIC(N, T, ...)                                                                                          \
  BUILTIN T##N tanh(T##N x) { return T##Tanh(x); }                                                                     \
  BUILTIN T##N erf(T##N x) { return T##Erf(x); }                                                                       \
  BUILTIN T##N erfc(T##N x) { return T##Erfc(x); }                                                                     \
  BUILTIN T##N sinh(T##N x) { return T##Sinh(x); }                                                                     \
  BUILTIN T##N atanh(T##N x) {                                                                                         \
    T##N a = __builtin_elementwise_abs(x);                                                                             \
    return __builtin_elementwise_copysign((T)0.5 * T##Log1p((a + a) / ((T)1 - a)), x);                                 \
  }
EACH_SINGLE_OR_DOUBLE(HYPERBOLIC)
#define OF_FLOAT(N, ...)                                                                                               \
  BUILTIN float##N cosh(float##N x) {                                                                                  \
    float##N magnitude = __builtin_elementwise_abs(x);                                                                 \
    float##N power = floatExp(magnitude > (float##N)64 ? magnitude - LATE_SHIFT : magnitude);                          \
    return magnitude > (float##N)64 ? power * LATE_FACTOR_float : 0.5f * power + 0.5f / power;                         \
  }
#define OF_DOUBLE(N, ...)                                                                                              \
  BUILTIN double##N cosh(double##N x) { return doubleCosh(x); }
EACH_WIDTH(OF_DOUBLE, )
EACH_WIDTH(OF_FLOAT, )
EACH_WIDTH(HALF_BY_FLOAT_1, tanh)
EACH_WIDTH(HALF_BY_FLOAT_1, atanh)
EACH_WIDTH(HALF_BY_FLOAT_1, erf)
EACH_WIDTH(HALF_BY_FLOAT_1, erfc)

// The runtime's logarithm of the gamma function is inaccurate for huge x. There it is x (log(x) - 1): with x = 2^32 p
// it is 2^32 p (log(p) - 1) + x log(2^32).
RUNTIME_PART_1(float, Lgamma, __clarity_lgamma_f32)
RUNTIME_PART_1(double, Lgamma, __clarity_lgamma_f64)
#define HUGE_float 0x1p100f
#define HUGE_double 0x1p900
#define LOG_2_32 0x1.62e42fefa39efp+4
#define LGAMMA(N, T, I, U)                                                                                             \
  BUILTIN T##N lgamma(T##N x) {                                                                                        \
    T##N part = runtimeLgamma(x > (T##N)HUGE_##T ? x * (T)0x1p-32 : x);                                                \
    return x > (T##N)HUGE_##T ? part * (T)0x1p32 + x * (T)LOG_2_32 : part;                                             \
  }
EACH_SINGLE_OR_DOUBLE(LGAMMA)
EACH_WIDTH(HALF_BY_FLOAT_1, lgamma)

// acosh(x) = log1p(t + sqrt(t^2 + 2t)) with t = x - 1, and asinh(x) = log1p(x + x^2 / (1 + sqrt(x^2 + 1))) for x >= 0.
// Both are log(2x) for large x.
#define INVERSES(N, T, I, U)                                                                                           \
  BUILTIN T##N acosh(T##N x) {                                                                                         \
    T##N t = x - (T)1;                                                                                                 \
    T##N root = __builtin_elementwise_sqrt(t) * __builtin_elementwise_sqrt(t + (T)2);                                  \
    return logOf(x, t + root, LN2_##T);                                                                                \
  }                                                                                                                    \
  BUILTIN T##N asinh(T##N x) {                                                                                         \
    T##N magnitude = __builtin_elementwise_abs(x);                                                                     \
    T##N square = magnitude * magnitude;                                                                               \
    T##N excess = square / ((T)1 + __builtin_elementwise_sqrt(square + (T)1));                                         \
    return __builtin_elementwise_copysign(logOf(magnitude, magnitude + excess, LN2_##T), x);                           \
  }
EACH_SINGLE_OR_DOUBLE(INVERSES)
EACH_WIDTH(HALF_BY_FLOAT_1, acosh)
EACH_WIDTH(HALF_BY_FLOAT_1, asinh)

EACH_WIDTH(HALF_BY_FLOAT_1, cosh)
EACH_WIDTH(HALF_BY_FLOAT_1, sinh)

// gamma(-a) = -pi / (a sin(pi a) gamma(a)). Where gamma(a) overflows but the result does not yet vanish, gamma(a) is
// gamma(a - n) times (a - 1) ... (a - n), by which is divided last.
// Above LARGEST_GAMMA, where the runtime's function overflows too early, gamma(x) is (x - 1) gamma(x - 1).
#define FACTORS_4(a, n, T) ((a - (T)(n + 1)) * (a - (T)(n + 2)) * (a - (T)(n + 3)) * (a - (T)(n + 4)))
#define FACTORS_float(a) (FACTORS_4(a, 0, float) * FACTORS_4(a, 4, float))
#define FACTORS_double(a)                                                                                              \
  (FACTORS_4(a, 0, double) * FACTORS_4(a, 4, double) * (FACTORS_4(a, 8, double) * FACTORS_4(a, 12, double)))
#define SHIFT_float 8
#define SHIFT_double 16
#define LARGEST_GAMMA_float 34
#define LARGEST_GAMMA_double 170
RUNTIME_PART_1(float, Tgamma, __clarity_tgamma_f32)
RUNTIME_PART_1(double, Tgamma, __clarity_tgamma_f64)
EACH_SINGLE_OR_DOUBLE(SINE_OF_HALF_TURNS)
// Lanes without use for the mirror have numbers in it that do not underflow: processors take 150 cycles and more for
// each. All from LARGEST_GAMMA + 2 on overflow.
#define TGAMMA(N, T, I, U)                                                                                             \
  BUILTIN T##N tgamma(T##N x) {                                                                                        \
    T##N a = __builtin_elementwise_abs(x);                                                                             \
    I##N reflected = MASK_##N(x < (T##N)(T)-0.5), shifted = MASK_##N(a > (T##N)(T)LARGEST_GAMMA_##T);                  \
    T##N reduced = shifted != (I##N)(I)0 ? a - (T)SHIFT_##T : a;                                                       \
    I##N late = MASK_##N(x > (T##N)(T)LARGEST_GAMMA_##T);                                                              \
    T##N largest = (T##N)(T)(LARGEST_GAMMA_##T + 2), before = x > largest ? largest : x;                               \
    before = late != (I##N)(I)0 ? before - (T)1 : before;                                                              \
    T##N gamma = runtimeTgamma(reflected != (I##N)(I)0 ? reduced : before);                                            \
    gamma = late != (I##N)(I)0 ? gamma * before : gamma;                                                               \
    T##N b = reflected != (I##N)(I)0 ? a : (T##N)(T)0.5;                                                               \
    T##N mirror = (T)-PI_HIGH_##T / (b * sineOfHalfTurns(b)) / (reflected != (I##N)(I)0 ? gamma : (T##N)(T)1);         \
    mirror = (shifted & reflected) != (I##N)(I)0 ? mirror / (FACTORS_##T(b)) : mirror;                                 \
    mirror = a == __builtin_elementwise_floor(a) ? (T##N)NAN_OF(T) : mirror;                                           \
    return reflected != (I##N)(I)0 ? mirror : gamma;                                                                   \
  }
EACH_SINGLE_OR_DOUBLE(TGAMMA)
EACH_WIDTH(HALF_BY_FLOAT_1, tgamma)

// gamma(x) is negative between -1 and 0, -3 and -2, and so on; at its poles and for NaN the sign is reported as 0.
#define GAMMA_SIGN(N, T, I, U)                                                                                         \
  HELPER I##N gammaSign(T##N x) {                                                                                      \
    T##N below = __builtin_elementwise_floor(x);                                                                       \
    T##N halved = below * (T)0.5;                                                                                      \
    I##N odd = MASK_##N(halved != __builtin_elementwise_floor(halved));                                                \
    I##N negative = MASK_##N(x < (T##N)(T)0) & odd;                                                                    \
    I##N pole = MASK_##N(x == below) & MASK_##N(x <= (T##N)(T)0);                                                      \
    I##N undefined = pole | MASK_##N(x != x);                                                                          \
    return (((I)1 - (negative & (I)2)) & ~undefined);                                                                  \
  }
EACH_FLOAT(GAMMA_SIGN)

#define LGAMMA_R(A, N, T)                                                                                              \
  BUILTIN T##N lgamma_r(T##N x, A int##N *sign) {                                                                      \
    *sign = CONVERT_##N(gammaSign(x), int##N);                                                                         \
    return lgamma(x);                                                                                                  \
  }
#define LGAMMA_R_SPACES(N, T, I, U) EACH_WRITABLE_SPACE(LGAMMA_R, N, T)
EACH_FLOAT(LGAMMA_R_SPACES)
