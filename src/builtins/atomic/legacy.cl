// SPDX-License-Identifier: Apache-2.0
// This file defines the atomics of OpenCL C 1.x (OpenCL C 1.2, 6.12.11) and of the int32 and int64 extensions (atom_).
// They are relaxed and have device scope. They also exist for generic pointers, which programs for OpenCL C 2.0 pass.

#include "prelude.clh"
#include "atomic/memory_order.clh"

#define RELAXED(p, A, T) ORDERED(A, T, p, memory_order_relaxed, memory_scope_device)

#define FETCH(NAME, OPERATION, A, T)                                                                                   \
  BUILTIN T NAME(volatile A T *p, T value) {                                                                           \
    return __opencl_atomic_##OPERATION(RELAXED(p, A, T), value, ORDER, SCOPE);                                         \
  }

#define OPERATIONS(A, PREFIX, T)                                                                                       \
  FETCH(PREFIX##_add, fetch_add, A, T)                                                                                 \
  FETCH(PREFIX##_sub, fetch_sub, A, T)                                                                                 \
  FETCH(PREFIX##_xchg, exchange, A, T)                                                                                 \
  FETCH(PREFIX##_min, fetch_min, A, T)                                                                                 \
  FETCH(PREFIX##_max, fetch_max, A, T)                                                                                 \
  FETCH(PREFIX##_and, fetch_and, A, T)                                                                                 \
  FETCH(PREFIX##_or, fetch_or, A, T)                                                                                   \
  FETCH(PREFIX##_xor, fetch_xor, A, T)                                                                                 \
  BUILTIN T PREFIX##_inc(volatile A T *p) { return __opencl_atomic_fetch_add(RELAXED(p, A, T), (T)1, ORDER, SCOPE); }  \
  BUILTIN T PREFIX##_dec(volatile A T *p) { return __opencl_atomic_fetch_sub(RELAXED(p, A, T), (T)1, ORDER, SCOPE); }  \
  BUILTIN T PREFIX##_cmpxchg(volatile A T *p, T expected, T value) {                                                   \
    T found = expected;                                                                                                \
    __opencl_atomic_compare_exchange_strong(RELAXED(p, A, T), &found, value, ORDER, ORDER, SCOPE);                     \
    return found;                                                                                                      \
  }

#define EACH_SPACE(M, ...) M(global, __VA_ARGS__) M(local, __VA_ARGS__) M(generic, __VA_ARGS__)

EACH_SPACE(OPERATIONS, atomic, int)
EACH_SPACE(OPERATIONS, atomic, uint)
EACH_SPACE(OPERATIONS, atom, int)
EACH_SPACE(OPERATIONS, atom, uint)
EACH_SPACE(OPERATIONS, atom, long)
EACH_SPACE(OPERATIONS, atom, ulong)

#define EXCHANGE_FLOAT(A, NAME) FETCH(NAME, exchange, A, float)
EACH_SPACE(EXCHANGE_FLOAT, atomic_xchg)
EACH_SPACE(EXCHANGE_FLOAT, atom_xchg)
