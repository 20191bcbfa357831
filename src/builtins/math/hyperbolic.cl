// SPDX-License-Identifier: Apache-2.0
// This file defines the hyperbolic functions, the error functions and the gamma functions (OpenCL C 3.0, 6.15.2).

#include "prelude.clh"
#include "math/runtime.clh"

RUNTIME_1(acosh)
RUNTIME_1(asinh)
RUNTIME_1(atanh)
RUNTIME_1(cosh)
RUNTIME_1(sinh)
RUNTIME_1(tanh)
RUNTIME_1(erf)
RUNTIME_1(erfc)
RUNTIME_1(lgamma)
RUNTIME_1(tgamma)

// The sign of gamma(x) is negative between -1 and 0, -3 and -2, and so on; at its poles and for NaN it is reported as 0.
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
