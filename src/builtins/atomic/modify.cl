// SPDX-License-Identifier: Apache-2.0
// This file defines the C11 atomic read-modify-writes (OpenCL C 3.0, 6.15.12.7), those on floating-point numbers of
// cl_ext_float_atomics included. A pointer-sized integer may be combined with an operand of the other signedness.

#include "prelude.clh"
#include "atomic/memory_order.clh"

#define MODIFY(A, NAME, T, order, scope)                                                                               \
  __opencl_atomic_##NAME(ORDERED(A, T, p, order, scope), (T)value, ORDER, SCOPE)

/// T is the type of the object, V that of the operand.
#define FETCH(A, NAME, T, V)                                                                                           \
  BUILTIN T atomic_##NAME(volatile A atomic_##T *p, V value) {                                                         \
    return MODIFY(A, NAME, T, memory_order_seq_cst, memory_scope_device);                                              \
  }                                                                                                                    \
  BUILTIN T atomic_##NAME##_explicit(volatile A atomic_##T *p, V value, memory_order order) {                          \
    return MODIFY(A, NAME, T, order, memory_scope_device);                                                             \
  }                                                                                                                    \
  BUILTIN T atomic_##NAME##_explicit(volatile A atomic_##T *p, V value, memory_order order, memory_scope scope) {      \
    return MODIFY(A, NAME, T, order, scope);                                                                           \
  }

#define ARITHMETIC(A, T, V)                                                                                            \
  FETCH(A, fetch_add, T, V)                                                                                            \
  FETCH(A, fetch_sub, T, V)                                                                                            \
  FETCH(A, fetch_min, T, V)                                                                                            \
  FETCH(A, fetch_max, T, V)
#define LOGICAL(A, T, V)                                                                                               \
  FETCH(A, fetch_and, T, V)                                                                                            \
  FETCH(A, fetch_or, T, V)                                                                                             \
  FETCH(A, fetch_xor, T, V)
#define EXCHANGE(A, T) FETCH(A, exchange, T, T)

#define INTEGER(A, T) EXCHANGE(A, T) ARITHMETIC(A, T, T) LOGICAL(A, T, T)
#define MIXED(A, T, V) ARITHMETIC(A, T, V) LOGICAL(A, T, V)
#define FLOATING(A, T) EXCHANGE(A, T) ARITHMETIC(A, T, T)

EACH_ATOMIC_SPACE(INTEGER, int)
EACH_ATOMIC_SPACE(INTEGER, uint)
EACH_ATOMIC_SPACE(INTEGER, long)
EACH_ATOMIC_SPACE(INTEGER, ulong)
EACH_ATOMIC_SPACE(MIXED, long, ulong)
EACH_ATOMIC_SPACE(MIXED, ulong, long)
EACH_FLOAT_ATOMIC_SPACE(FLOATING, float)
EACH_FLOAT_ATOMIC_SPACE(FLOATING, double)
EACH_FLOAT_ATOMIC_SPACE(FLOATING, half)
