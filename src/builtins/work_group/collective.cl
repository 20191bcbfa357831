// SPDX-License-Identifier: Apache-2.0
// This file defines the work-group collective functions (OpenCL C 3.0, 6.15.16). The work-group's combination is
// left to the compiler, by operation and type.

#include "prelude.clh"
#include "work_item/primitives.clh"

#define TOGETHER __attribute__((convergent, nomerge))
#define CONVERGENT __attribute__((overloadable, always_inline, convergent))

TOGETHER int __clarity_work_group_all(int predicate);
TOGETHER int __clarity_work_group_any(int predicate);

CONVERGENT int work_group_all(int predicate) { return __clarity_work_group_all(predicate); }
CONVERGENT int work_group_any(int predicate) { return __clarity_work_group_any(predicate); }

#define ONE(OPERATION, T)                                                                                              \
  TOGETHER T __clarity_work_group_##OPERATION##_##T(T x);                                                              \
  CONVERGENT T work_group_##OPERATION(T x) { return __clarity_work_group_##OPERATION##_##T(x); }

#define COLLECTIVES(T)                                                                                                 \
  TOGETHER T __clarity_work_group_broadcast_##T(T x, size_t item);                                                     \
  CONVERGENT T work_group_broadcast(T x, size_t id) { return __clarity_work_group_broadcast_##T(x, id); }              \
  CONVERGENT T work_group_broadcast(T x, size_t id0, size_t id1) {                                                     \
    return __clarity_work_group_broadcast_##T(x, id1 * __clarity_local_size(0) + id0);                                 \
  }                                                                                                                    \
  CONVERGENT T work_group_broadcast(T x, size_t id0, size_t id1, size_t id2) {                                         \
    return __clarity_work_group_broadcast_##T(                                                                         \
        x, (id2 * __clarity_local_size(1) + id1) * __clarity_local_size(0) + id0);                                     \
  }                                                                                                                    \
  ONE(reduce_add, T)                                                                                                   \
  ONE(reduce_min, T)                                                                                                   \
  ONE(reduce_max, T)                                                                                                   \
  ONE(scan_inclusive_add, T)                                                                                           \
  ONE(scan_inclusive_min, T)                                                                                           \
  ONE(scan_inclusive_max, T)                                                                                           \
  ONE(scan_exclusive_add, T)                                                                                           \
  ONE(scan_exclusive_min, T)                                                                                           \
  ONE(scan_exclusive_max, T)

COLLECTIVES(int)
COLLECTIVES(uint)
COLLECTIVES(long)
COLLECTIVES(ulong)
COLLECTIVES(half)
COLLECTIVES(float)
COLLECTIVES(double)
