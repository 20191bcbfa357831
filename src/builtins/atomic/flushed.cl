// SPDX-License-Identifier: Apache-2.0
// This file defines atomic arithmetic that takes denormal numbers for zeros of their sign, and writes none. Modules of
// SPIR-V may ask for it (compiler/spirv/denormals.h). Processors' own atomic instructions keep denormal numbers.

#include "prelude.clh"
#include "atomic/memory_order.clh"

#define FLUSHED(T, U, EXPONENT, SIGN)                                                                                  \
  HELPER T flushed(T x) {                                                                                              \
    return AS(x, T, U) & (U)EXPONENT ? x : AS(AS(x, T, U) & (U)SIGN, U, T);                                            \
  }

#define MODIFY(NAME, T, COMBINED)                                                                                      \
  BUILTIN T __spirv_flushed_##NAME(volatile atomic_##T *p, T value, memory_order order, memory_scope scope) {        \
    T operand = flushed(value);                                                                                        \
    T found = __opencl_atomic_load(ORDERED(generic, T, p, memory_order_relaxed, scope), ORDER, SCOPE);                 \
    T next;                                                                                                            \
    do {                                                                                                               \
      next = flushed(COMBINED(flushed(found), operand));                                                               \
    } while (!__opencl_atomic_compare_exchange_strong(                                                                 \
        ORDERED_BOTH(generic, T, p, order, memory_order_relaxed, scope), &found, next, ORDER, ORDER, SCOPE));          \
    return found;                                                                                                      \
  }

#define SUM(x, y) ((x) + (y))

#define ARITHMETIC(T, U, EXPONENT, SIGN)                                                                               \
  FLUSHED(T, U, EXPONENT, SIGN)                                                                                        \
  MODIFY(fetch_add, T, SUM)                                                                                            \
  MODIFY(fetch_min, T, __builtin_elementwise_minnum)                                                                   \
  MODIFY(fetch_max, T, __builtin_elementwise_maxnum)

ARITHMETIC(half, ushort, 0x7c00, 0x8000)
ARITHMETIC(float, uint, 0x7f800000, 0x80000000)
ARITHMETIC(double, ulong, 0x7ff0000000000000, 0x8000000000000000)
