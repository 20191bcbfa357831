// SPDX-License-Identifier: Apache-2.0
// This file defines the geometric functions (OpenCL C 3.0, 6.15.5). length and normalize must not overflow or underflow
// before a representable result: vectors whose squares may do so are scaled by a power of two that depends on their
// largest component, in a branch that hardly ever runs.

#include "prelude.clh"

// ---- dot and cross

#define DOT(T)                                                                                                         \
  BUILTIN T dot(T x, T y) { return x * y; }                                                                            \
  BUILTIN T dot(T##2 x, T##2 y) {                                                                                      \
    FUSED                                                                                                              \
    T sum = x.s0 * y.s0;                                                                                               \
    return x.s1 * y.s1 + sum;                                                                                          \
  }                                                                                                                    \
  BUILTIN T dot(T##3 x, T##3 y) {                                                                                      \
    FUSED                                                                                                              \
    T sum = x.s0 * y.s0;                                                                                               \
    sum = x.s1 * y.s1 + sum;                                                                                           \
    return x.s2 * y.s2 + sum;                                                                                          \
  }                                                                                                                    \
  BUILTIN T dot(T##4 x, T##4 y) {                                                                                      \
    FUSED                                                                                                              \
    T sum = x.s0 * y.s0;                                                                                               \
    sum = x.s1 * y.s1 + sum;                                                                                           \
    sum = x.s2 * y.s2 + sum;                                                                                           \
    return x.s3 * y.s3 + sum;                                                                                          \
  }

#define CROSS(T)                                                                                                       \
  BUILTIN T##3 cross(T##3 x, T##3 y) { return x.yzx * y.zxy - x.zxy * y.yzx; }                                         \
  BUILTIN T##4 cross(T##4 x, T##4 y) { return (T##4)(cross(x.xyz, y.xyz), (T)0); }

// ---- length, distance, normalize

#define LARGEST_(T, p) __builtin_elementwise_abs(p)
#define LARGEST_2(T, p) __builtin_elementwise_maxnum(__builtin_elementwise_abs(p.s0), __builtin_elementwise_abs(p.s1))
#define LARGEST_3(T, p) __builtin_elementwise_maxnum(LARGEST_2(T, p), __builtin_elementwise_abs(p.s2))
#define LARGEST_4(T, p) __builtin_elementwise_maxnum(LARGEST_3(T, p), __builtin_elementwise_abs(p.s3))

// Beyond HUGE a sum of four squares may overflow; below TINY a square may lose bits. A sum of squares from SUM on, and
// finite, has lost none that count. half is computed in float, unscaled.
#define HUGE_float 0x1p62f
#define TINY_float 0x1p-60f
#define SUM_float 0x1p-90f
#define SHRINK_float 0x1p-70f
#define GROW_float 0x1p90f
#define HUGE_double 0x1p510
#define TINY_double 0x1p-480
#define SUM_double 0x1p-900
#define SHRINK_double 0x1p-550
#define GROW_double 0x1p600
#define IS_ORDINARY(T, squares) __builtin_expect((squares) >= SUM_##T && (squares) < INFINITY_OF(T), 1)

#define SCALED(N, T)                                                                                                   \
  HELPER T scaleOf(T##N p) {                                                                                           \
    T largest = LARGEST_##N(T, p);                                                                                     \
    return largest > HUGE_##T ? SHRINK_##T : (largest < TINY_##T ? GROW_##T : (T)1);                                   \
  }                                                                                                                    \
  BUILTIN T length(T##N p) {                                                                                           \
    T squares = dot(p, p);                                                                                             \
    if (IS_ORDINARY(T, squares)) return __builtin_elementwise_sqrt(squares);                                           \
    T scale = scaleOf(p);                                                                                              \
    T##N q = p * scale;                                                                                                \
    return __builtin_elementwise_sqrt(dot(q, q)) * ((T)1 / scale);                                                     \
  }                                                                                                                    \
  BUILTIN T##N normalize(T##N p) {                                                                                     \
    T squares = dot(p, p);                                                                                             \
    if (IS_ORDINARY(T, squares)) return p * ((T)1 / __builtin_elementwise_sqrt(squares));                              \
    /* An infinite vector points along its infinite parts. */                                                          \
    T##N unit = __builtin_elementwise_copysign(INFINITE_PARTS_##N(p, T), p);                                           \
    p = LARGEST_##N(T, p) == INFINITY_OF(T) ? unit : p;                                                                \
    /* A small part of a large vector would lose bits if it shrank before the division: only the divisor does. */      \
    T scale = scaleOf(p), shrink = __builtin_elementwise_minnum(scale, (T)1);                                          \
    T##N q = p * scale, above = scale > (T)1 ? q : p;                                                                  \
    squares = dot(q, q);                                                                                               \
    return squares == 0 ? p : above / __builtin_elementwise_sqrt(squares) * shrink;                                    \
  }

#define INFINITE_PARTS_(p, T) (__builtin_elementwise_abs(p) == INFINITY_OF(T) ? (T)1 : (T)0)
#define INFINITE_PARTS_2(p, T) (__builtin_elementwise_abs(p) == (T##2)INFINITY_OF(T) ? (T##2)(T)1 : (T##2)(T)0)
#define INFINITE_PARTS_3(p, T) (__builtin_elementwise_abs(p) == (T##3)INFINITY_OF(T) ? (T##3)(T)1 : (T##3)(T)0)
#define INFINITE_PARTS_4(p, T) (__builtin_elementwise_abs(p) == (T##4)INFINITY_OF(T) ? (T##4)(T)1 : (T##4)(T)0)

#define SCALAR(T)                                                                                                      \
  BUILTIN T length(T p) { return __builtin_elementwise_abs(p); }                                                       \
  BUILTIN T normalize(T p) { return p == 0 ? p : (p != p ? p : __builtin_elementwise_copysign((T)1, p)); }

#define HALF_VECTOR(N)                                                                                                 \
  BUILTIN half length(half##N p) { return (half)length(__builtin_convertvector(p, float##N)); }                        \
  BUILTIN half##N normalize(half##N p) {                                                                               \
    return __builtin_convertvector(normalize(__builtin_convertvector(p, float##N)), half##N);                          \
  }

#define DISTANCE(N, T)                                                                                                 \
  BUILTIN T distance(T##N p0, T##N p1) { return length(p0 - p1); }

#define FAST(N)                                                                                                        \
  BUILTIN float fast_length(float##N p) { return __builtin_elementwise_sqrt(dot(p, p)); }                              \
  BUILTIN float fast_distance(float##N p0, float##N p1) { return fast_length(p0 - p1); }                               \
  BUILTIN float##N fast_normalize(float##N p) {                                                                        \
    float squares = dot(p, p);                                                                                         \
    return squares == 0 ? p : p * (1.0f / __builtin_elementwise_sqrt(squares));                                        \
  }

#define EACH_GEOMETRIC(M, ...) M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__)

DOT(float)
DOT(double)
DOT(half)
CROSS(float)
CROSS(double)
CROSS(half)
SCALAR(float)
SCALAR(double)
SCALAR(half)
EACH_GEOMETRIC(SCALED, float)
EACH_GEOMETRIC(SCALED, double)
HALF_VECTOR(2)
HALF_VECTOR(3)
HALF_VECTOR(4)
DISTANCE(, float)
DISTANCE(, double)
DISTANCE(, half)
EACH_GEOMETRIC(DISTANCE, float)
EACH_GEOMETRIC(DISTANCE, double)
EACH_GEOMETRIC(DISTANCE, half)
FAST()
FAST(2)
FAST(3)
FAST(4)
