// SPDX-License-Identifier: Apache-2.0
// This file defines the integer functions that multiply (OpenCL C 3.0, 6.15.3): mul_hi, mad_hi, mad_sat, mul24, mad24.
// Products of up to 32 bits are formed in a type twice as wide, those of 64 bits from halves of 32.

#include "prelude.clh"

#define NARROW(N, T, WIDE)                                                                                             \
  BUILTIN T##N mul_hi(T##N x, T##N y) {                                                                                \
    WIDE##N product = CONVERT_##N(x, WIDE##N) * CONVERT_##N(y, WIDE##N);                                               \
    return CONVERT_##N(product >> (WIDE)(sizeof(T) * 8), T##N);                                                        \
  }                                                                                                                    \
  /* The sum may wrap; it is computed in the wider type, and LLVM removes the truncation. */                           \
  BUILTIN T##N mad_hi(T##N a, T##N b, T##N c) {                                                                        \
    return CONVERT_##N(CONVERT_##N(mul_hi(a, b), WIDE##N) + CONVERT_##N(c, WIDE##N), T##N);                            \
  }

// The product of two T fits WIDE and leaves room to add a third.
#define NARROW_SATURATED(N, T, WIDE, LOWEST, HIGHEST)                                                                  \
  BUILTIN T##N mad_sat(T##N a, T##N b, T##N c) {                                                                       \
    WIDE##N sum = CONVERT_##N(a, WIDE##N) * CONVERT_##N(b, WIDE##N) + CONVERT_##N(c, WIDE##N);                         \
    sum = __builtin_elementwise_min(__builtin_elementwise_max(sum, (WIDE##N)(WIDE)LOWEST), (WIDE##N)(WIDE)HIGHEST);    \
    return CONVERT_##N(sum, T##N);                                                                                     \
  }

#define WIDE_PRODUCT(N, ...)                                                                                           \
  BUILTIN ulong##N mul_hi(ulong##N x, ulong##N y) {                                                                    \
    ulong##N xl = x & 0xffffffffUL, xh = x >> 32UL, yl = y & 0xffffffffUL, yh = y >> 32UL;                             \
    ulong##N middle = xh * yl + ((xl * yl) >> 32UL);                                                                   \
    ulong##N carry = xl * yh + (middle & 0xffffffffUL);                                                                \
    return xh * yh + (middle >> 32UL) + (carry >> 32UL);                                                               \
  }                                                                                                                    \
  BUILTIN long##N mul_hi(long##N x, long##N y) {                                                                       \
    ulong##N high = mul_hi(AS(x, long##N, ulong##N), AS(y, long##N, ulong##N));                                        \
    high -= AS((x >> 63L) & y, long##N, ulong##N) + AS((y >> 63L) & x, long##N, ulong##N);                             \
    return AS(high, ulong##N, long##N);                                                                                \
  }                                                                                                                    \
  BUILTIN ulong##N mad_hi(ulong##N a, ulong##N b, ulong##N c) { return mul_hi(a, b) + c; }                             \
  BUILTIN long##N mad_hi(long##N a, long##N b, long##N c) {                                                            \
    return AS(AS(mul_hi(a, b), long##N, ulong##N) + AS(c, long##N, ulong##N), ulong##N, long##N);                      \
  }                                                                                                                    \
  BUILTIN ulong##N mad_sat(ulong##N a, ulong##N b, ulong##N c) {                                                       \
    ulong##N product = mul_hi(a, b) != (ulong##N)0UL ? (ulong##N)ULONG_MAX : a * b;                                    \
    return __builtin_elementwise_add_sat(product, c);                                                                  \
  }                                                                                                                    \
  BUILTIN long##N mad_sat(long##N a, long##N b, long##N c) {                                                           \
    /* The sum is 128 bits wide: low and high words with the carry of the addition; it fits if high is all sign. */    \
    ulong##N low = AS(a, long##N, ulong##N) * AS(b, long##N, ulong##N);                                                \
    ulong##N sum = low + AS(c, long##N, ulong##N);                                                                     \
    long##N carry = MASK_##N(sum < low) & 1L;                                                                          \
    long##N high = mul_hi(a, b) + (c >> 63L) + carry;                                                                  \
    long##N result = AS(sum, ulong##N, long##N);                                                                       \
    long##N bound = (high >> 63L) ^ LONG_MAX;                                                                          \
    return high == (result >> 63L) ? result : bound;                                                                   \
  }

/* The result is implementation-defined where an operand has more than 24 bits. A product of all bits is one operation,
   and leaves visible that an index is a multiple of an id. */
#define TWENTY_FOUR(N, T)                                                                                              \
  BUILTIN T##N mul24(T##N x, T##N y) { return x * y; }                                                                 \
  BUILTIN T##N mad24(T##N x, T##N y, T##N z) { return mul24(x, y) + z; }

EACH_WIDTH(NARROW, char, short)
EACH_WIDTH(NARROW, uchar, ushort)
EACH_WIDTH(NARROW, short, int)
EACH_WIDTH(NARROW, ushort, uint)
EACH_WIDTH(NARROW, int, long)
EACH_WIDTH(NARROW, uint, ulong)
EACH_WIDTH(NARROW_SATURATED, char, int, CHAR_MIN, CHAR_MAX)
EACH_WIDTH(NARROW_SATURATED, uchar, uint, 0, UCHAR_MAX)
EACH_WIDTH(NARROW_SATURATED, short, int, SHRT_MIN, SHRT_MAX)
EACH_WIDTH(NARROW_SATURATED, ushort, uint, 0, USHRT_MAX)
EACH_WIDTH(NARROW_SATURATED, int, long, INT_MIN, INT_MAX)
EACH_WIDTH(NARROW_SATURATED, uint, ulong, 0, UINT_MAX)
EACH_WIDTH(WIDE_PRODUCT, )
EACH_WIDTH(TWENTY_FOUR, int)
EACH_WIDTH(TWENTY_FOUR, uint)
