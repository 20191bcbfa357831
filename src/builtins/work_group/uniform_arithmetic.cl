// SPDX-License-Identifier: Apache-2.0
// This file defines the reductions and scans of cl_khr_work_group_uniform_arithmetic (OpenCL C 3.1, 6.15.17): products,
// bitwise and logical operations.

#include "prelude.clh"
#include "work_item/primitives.clh"

#define TOGETHER __attribute__((convergent, nomerge))
#define CONVERGENT __attribute__((overloadable, always_inline, convergent))

#define ONE(OPERATION, T)                                                                                              \
  TOGETHER T __clarity_work_group_##OPERATION##_##T(T x);                                                              \
  CONVERGENT T work_group_##OPERATION(T x) { return __clarity_work_group_##OPERATION##_##T(x); }
#define EACH_FORM(OPERATION, T)                                                                                        \
  ONE(reduce_##OPERATION, T)                                                                                           \
  ONE(scan_inclusive_##OPERATION, T)                                                                                   \
  ONE(scan_exclusive_##OPERATION, T)
#define OF_INTEGERS(T)                                                                                                 \
  EACH_FORM(mul, T)                                                                                                    \
  EACH_FORM(and, T)                                                                                                    \
  EACH_FORM(or, T)                                                                                                     \
  EACH_FORM(xor, T)
OF_INTEGERS(int)
OF_INTEGERS(uint)
OF_INTEGERS(long)
OF_INTEGERS(ulong)
EACH_FORM(mul, half)
EACH_FORM(mul, float)
EACH_FORM(mul, double)

#define LOGICAL(FORM)                                                                                                  \
  CONVERGENT int work_group_##FORM##_logical_and(int predicate) {                                                      \
    return __clarity_work_group_##FORM##_and_int(predicate != 0) != 0;                                                 \
  }                                                                                                                    \
  CONVERGENT int work_group_##FORM##_logical_or(int predicate) {                                                       \
    return __clarity_work_group_##FORM##_or_int(predicate != 0);                                                       \
  }                                                                                                                    \
  CONVERGENT int work_group_##FORM##_logical_xor(int predicate) {                                                      \
    return __clarity_work_group_##FORM##_xor_int(predicate != 0);                                                      \
  }
LOGICAL(reduce)
LOGICAL(scan_inclusive)
LOGICAL(scan_exclusive)
