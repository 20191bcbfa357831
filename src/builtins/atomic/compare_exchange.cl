// SPDX-License-Identifier: Apache-2.0
// This file defines the C11 atomic comparisons and exchanges (OpenCL C 3.0, 6.15.12.7.4). The weak form never fails
// spuriously: it is the strong form.

#include "prelude.clh"
#include "atomic/memory_order.clh"

#define COMPARE_EXCHANGE(NAME, A, E, T)                                                                                \
  BUILTIN bool NAME(volatile A atomic_##T *p, E T *expected, T value) {                                                \
    return exchangeIfEqual(p, expected, value, memory_order_seq_cst, memory_order_seq_cst, memory_scope_device);       \
  }                                                                                                                    \
  BUILTIN bool NAME##_explicit(volatile A atomic_##T *p, E T *expected, T value, memory_order success,                 \
                               memory_order failure) {                                                                 \
    return exchangeIfEqual(p, expected, value, success, failure, memory_scope_device);                                 \
  }                                                                                                                    \
  BUILTIN bool NAME##_explicit(volatile A atomic_##T *p, E T *expected, T value, memory_order success,                 \
                               memory_order failure, memory_scope scope) {                                             \
    return exchangeIfEqual(p, expected, value, success, failure, scope);                                               \
  }

#define BOTH(A, E, T)                                                                                                  \
  HELPER bool exchangeIfEqual(volatile A atomic_##T *p, E T *expected, T value, memory_order success,                  \
                              memory_order failure, memory_scope scope) {                                              \
    T found = *expected;                                                                                               \
    bool equal = __opencl_atomic_compare_exchange_strong(ORDERED_BOTH(A, T, p, success, failure, scope), &found, value,\
                                                         ORDER, ORDER, SCOPE);                                         \
    *expected = found;                                                                                                 \
    return equal;                                                                                                      \
  }                                                                                                                    \
  COMPARE_EXCHANGE(atomic_compare_exchange_strong, A, E, T)                                                            \
  COMPARE_EXCHANGE(atomic_compare_exchange_weak, A, E, T)

#define SPACES(A, T) BOTH(A, global, T) BOTH(A, local, T) BOTH(A, private, T) BOTH(A, generic, T)

EACH_ATOMIC_SPACE(SPACES, int)
EACH_ATOMIC_SPACE(SPACES, uint)
EACH_ATOMIC_SPACE(SPACES, long)
EACH_ATOMIC_SPACE(SPACES, ulong)
EACH_ATOMIC_SPACE(SPACES, float)
EACH_ATOMIC_SPACE(SPACES, double)
