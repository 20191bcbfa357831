// SPDX-License-Identifier: Apache-2.0
// This file defines the integer dot products of cl_khr_integer_dot_product (OpenCL C 3.0, 6.15.3): four 8-bit products,
// signed or not, added into 32 bits, from char4 and uchar4 or from four bytes packed in a uint.

#include "prelude.clh"

#define DOT(RESULT, X, Y)                                                                                              \
  HELPER RESULT sumOfProducts(X x, Y y) {                                                                              \
    int4 product = __builtin_convertvector(x, int4) * __builtin_convertvector(y, int4);                                \
    return (RESULT)(product.s0 + product.s1 + product.s2 + product.s3);                                                \
  }                                                                                                                    \
  BUILTIN RESULT dot(X x, Y y) { return sumOfProducts(x, y); }                                                         \
  BUILTIN RESULT dot_acc_sat(X x, Y y, RESULT sum) {                                                                   \
    return __builtin_elementwise_add_sat(sumOfProducts(x, y), sum);                                                    \
  }

#define PACKED(SUFFIX, RESULT, X, Y)                                                                                   \
  BUILTIN RESULT dot_4x8packed_##SUFFIX##_##RESULT(uint x, uint y) {                                                   \
    return sumOfProducts(AS(x, uint, X), AS(y, uint, Y));                                                              \
  }                                                                                                                    \
  BUILTIN RESULT dot_acc_sat_4x8packed_##SUFFIX##_##RESULT(uint x, uint y, RESULT sum) {                               \
    return __builtin_elementwise_add_sat(sumOfProducts(AS(x, uint, X), AS(y, uint, Y)), sum);                          \
  }

DOT(uint, uchar4, uchar4)
DOT(int, char4, char4)
DOT(int, uchar4, char4)
DOT(int, char4, uchar4)

PACKED(uu, uint, uchar4, uchar4)
PACKED(ss, int, char4, char4)
PACKED(us, int, uchar4, char4)
PACKED(su, int, char4, uchar4)
