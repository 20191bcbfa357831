// SPDX-License-Identifier: Apache-2.0
// This file defines the C11 atomic loads, stores, initialisation and flags (OpenCL C 3.0, 6.15.12).

#include "prelude.clh"
#include "atomic/memory_order.clh"

#define LOAD_STORE(A, T)                                                                                               \
  HELPER T loadAtomic(volatile A atomic_##T *p, memory_order order) {                                                  \
    switch (order) {                                                                                                   \
    case memory_order_relaxed:                                                                                         \
      return __opencl_atomic_load(p, memory_order_relaxed, SCOPE);                                                     \
    case memory_order_acquire:                                                                                         \
      return __opencl_atomic_load(p, memory_order_acquire, SCOPE);                                                     \
    default:                                                                                                           \
      return __opencl_atomic_load(p, memory_order_seq_cst, SCOPE);                                                     \
    }                                                                                                                  \
  }                                                                                                                    \
  HELPER void storeAtomic(volatile A atomic_##T *p, T value, memory_order order) {                                     \
    switch (order) {                                                                                                   \
    case memory_order_relaxed:                                                                                         \
      __opencl_atomic_store(p, value, memory_order_relaxed, SCOPE);                                                    \
      break;                                                                                                           \
    case memory_order_release:                                                                                         \
      __opencl_atomic_store(p, value, memory_order_release, SCOPE);                                                    \
      break;                                                                                                           \
    default:                                                                                                           \
      __opencl_atomic_store(p, value, memory_order_seq_cst, SCOPE);                                                    \
    }                                                                                                                  \
  }                                                                                                                    \
  BUILTIN void atomic_init(volatile A atomic_##T *p, T value) { storeAtomic(p, value, memory_order_relaxed); }         \
  BUILTIN T atomic_load(volatile A atomic_##T *p) { return loadAtomic(p, memory_order_seq_cst); }                      \
  BUILTIN T atomic_load_explicit(volatile A atomic_##T *p, memory_order order) { return loadAtomic(p, order); }        \
  BUILTIN T atomic_load_explicit(volatile A atomic_##T *p, memory_order order, memory_scope scope) {                   \
    return loadAtomic(p, order);                                                                                       \
  }                                                                                                                    \
  BUILTIN void atomic_store(volatile A atomic_##T *p, T value) { storeAtomic(p, value, memory_order_seq_cst); }        \
  BUILTIN void atomic_store_explicit(volatile A atomic_##T *p, T value, memory_order order) {                          \
    storeAtomic(p, value, order);                                                                                      \
  }                                                                                                                    \
  BUILTIN void atomic_store_explicit(volatile A atomic_##T *p, T value, memory_order order, memory_scope scope) {      \
    storeAtomic(p, value, order);                                                                                      \
  }

// An atomic_flag is an atomic_int that holds 0 or 1.
#define FLAG(A, ...)                                                                                                   \
  HELPER bool testAndSet(volatile A atomic_flag *flag, memory_order order) {                                           \
    return MODIFY(__opencl_atomic_exchange, order, flag, 1) != 0;                                                      \
  }                                                                                                                    \
  BUILTIN bool atomic_flag_test_and_set(volatile A atomic_flag *flag) {                                                \
    return testAndSet(flag, memory_order_seq_cst);                                                                     \
  }                                                                                                                    \
  BUILTIN bool atomic_flag_test_and_set_explicit(volatile A atomic_flag *flag, memory_order order) {                   \
    return testAndSet(flag, order);                                                                                    \
  }                                                                                                                    \
  BUILTIN bool atomic_flag_test_and_set_explicit(volatile A atomic_flag *flag, memory_order order,                     \
                                                 memory_scope scope) {                                                 \
    return testAndSet(flag, order);                                                                                    \
  }                                                                                                                    \
  BUILTIN void atomic_flag_clear(volatile A atomic_flag *flag) { storeAtomic(flag, 0, memory_order_seq_cst); }         \
  BUILTIN void atomic_flag_clear_explicit(volatile A atomic_flag *flag, memory_order order) {                          \
    storeAtomic(flag, 0, order);                                                                                       \
  }                                                                                                                    \
  BUILTIN void atomic_flag_clear_explicit(volatile A atomic_flag *flag, memory_order order, memory_scope scope) {      \
    storeAtomic(flag, 0, order);                                                                                       \
  }

EACH_ATOMIC_SPACE(LOAD_STORE, int)
EACH_ATOMIC_SPACE(LOAD_STORE, uint)
EACH_ATOMIC_SPACE(LOAD_STORE, long)
EACH_ATOMIC_SPACE(LOAD_STORE, ulong)
EACH_FLOAT_ATOMIC_SPACE(LOAD_STORE, float)
EACH_FLOAT_ATOMIC_SPACE(LOAD_STORE, double)
EACH_FLOAT_ATOMIC_SPACE(LOAD_STORE, half)
EACH_ATOMIC_SPACE(FLAG, )
