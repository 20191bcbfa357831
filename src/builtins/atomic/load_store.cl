// SPDX-License-Identifier: Apache-2.0
// This file defines the C11 atomic loads, stores, initialisation and flags (OpenCL C 3.0, 6.15.12).

#include "prelude.clh"
#include "atomic/memory_order.clh"

#define LOAD_STORE(A, T)                                                                                               \
  HELPER T loadAtomic(volatile A atomic_##T *p, memory_order order, memory_scope scope) {                              \
    return __opencl_atomic_load(ORDERED(A, T, p, order, scope), ORDER, SCOPE);                                         \
  }                                                                                                                    \
  HELPER void storeAtomic(volatile A atomic_##T *p, T value, memory_order order, memory_scope scope) {                 \
    __opencl_atomic_store(ORDERED(A, T, p, order, scope), value, ORDER, SCOPE);                                        \
  }                                                                                                                    \
  BUILTIN void atomic_init(volatile A atomic_##T *p, T value) {                                                        \
    storeAtomic(p, value, memory_order_relaxed, memory_scope_work_group);                                              \
  }                                                                                                                    \
  BUILTIN T atomic_load(volatile A atomic_##T *p) { return loadAtomic(p, memory_order_seq_cst, memory_scope_device); } \
  BUILTIN T atomic_load_explicit(volatile A atomic_##T *p, memory_order order) {                                       \
    return loadAtomic(p, order, memory_scope_device);                                                                  \
  }                                                                                                                    \
  BUILTIN T atomic_load_explicit(volatile A atomic_##T *p, memory_order order, memory_scope scope) {                   \
    return loadAtomic(p, order, scope);                                                                                \
  }                                                                                                                    \
  BUILTIN void atomic_store(volatile A atomic_##T *p, T value) {                                                       \
    storeAtomic(p, value, memory_order_seq_cst, memory_scope_device);                                                  \
  }                                                                                                                    \
  BUILTIN void atomic_store_explicit(volatile A atomic_##T *p, T value, memory_order order) {                          \
    storeAtomic(p, value, order, memory_scope_device);                                                                 \
  }                                                                                                                    \
  BUILTIN void atomic_store_explicit(volatile A atomic_##T *p, T value, memory_order order, memory_scope scope) {      \
    storeAtomic(p, value, order, scope);                                                                               \
  }

// An atomic_flag is an atomic_int that holds 0 or 1.
#define FLAG(A, ...)                                                                                                   \
  HELPER bool testAndSet(volatile A atomic_flag *flag, memory_order order, memory_scope scope) {                       \
    return __opencl_atomic_exchange(ORDERED(A, int, flag, order, scope), 1, ORDER, SCOPE) != 0;                        \
  }                                                                                                                    \
  BUILTIN bool atomic_flag_test_and_set(volatile A atomic_flag *flag) {                                                \
    return testAndSet(flag, memory_order_seq_cst, memory_scope_device);                                                \
  }                                                                                                                    \
  BUILTIN bool atomic_flag_test_and_set_explicit(volatile A atomic_flag *flag, memory_order order) {                   \
    return testAndSet(flag, order, memory_scope_device);                                                               \
  }                                                                                                                    \
  BUILTIN bool atomic_flag_test_and_set_explicit(volatile A atomic_flag *flag, memory_order order,                     \
                                                 memory_scope scope) {                                                 \
    return testAndSet(flag, order, scope);                                                                             \
  }                                                                                                                    \
  BUILTIN void atomic_flag_clear(volatile A atomic_flag *flag) {                                                       \
    storeAtomic(flag, 0, memory_order_seq_cst, memory_scope_device);                                                   \
  }                                                                                                                    \
  BUILTIN void atomic_flag_clear_explicit(volatile A atomic_flag *flag, memory_order order) {                          \
    storeAtomic(flag, 0, order, memory_scope_device);                                                                  \
  }                                                                                                                    \
  BUILTIN void atomic_flag_clear_explicit(volatile A atomic_flag *flag, memory_order order, memory_scope scope) {      \
    storeAtomic(flag, 0, order, scope);                                                                                \
  }

EACH_ATOMIC_SPACE(LOAD_STORE, int)
EACH_ATOMIC_SPACE(LOAD_STORE, uint)
EACH_ATOMIC_SPACE(LOAD_STORE, long)
EACH_ATOMIC_SPACE(LOAD_STORE, ulong)
EACH_FLOAT_ATOMIC_SPACE(LOAD_STORE, float)
EACH_FLOAT_ATOMIC_SPACE(LOAD_STORE, double)
EACH_FLOAT_ATOMIC_SPACE(LOAD_STORE, half)
EACH_ATOMIC_SPACE(FLAG, )
