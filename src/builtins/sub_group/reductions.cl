// SPDX-License-Identifier: Apache-2.0
// This file defines reductions and scans of sub-groups (OpenCL C 3.0, 6.15.19; cl_khr_subgroup_extended_types,
// _non_uniform_arithmetic, _clustered_reduce). Logical ones are computed from ballots.

#include "sub_group/primitives.clh"

#define ONE(PUBLIC, PRIMITIVE_NAME, T)                                                                                 \
  CONVERGENT T sub_group_##PUBLIC(T x) { return __clarity_sub_group_##PRIMITIVE_NAME##_##T(x); }
#define ALL(NAME, T)                                                                                                   \
  CONVERGENT T sub_group_##NAME(T x) {                                                                                 \
    return __clarity_sub_group_whole_##NAME##_##T(x);                                                                  \
  }
#define UNIFORM(T, OPERATION)                                                                                          \
  ALL(reduce_##OPERATION, T)                                                                                           \
  ALL(scan_inclusive_##OPERATION, T)                                                                                   \
  ALL(scan_exclusive_##OPERATION, T)
#define NON_UNIFORM(T, OPERATION)                                                                                      \
  ONE(non_uniform_reduce_##OPERATION, reduce_##OPERATION, T)                                                           \
  ONE(non_uniform_scan_inclusive_##OPERATION, scan_inclusive_##OPERATION, T)                                           \
  ONE(non_uniform_scan_exclusive_##OPERATION, scan_exclusive_##OPERATION, T)                                           \
  CONVERGENT T sub_group_clustered_reduce_##OPERATION(T x, uint size) {                                                \
    return __clarity_sub_group_clustered_reduce_##OPERATION##_##T(x, size);                                            \
  }
#define OF_ALL(T)                                                                                                      \
  UNIFORM(T, add)                                                                                                      \
  UNIFORM(T, min)                                                                                                      \
  UNIFORM(T, max)                                                                                                      \
  NON_UNIFORM(T, add)                                                                                                  \
  NON_UNIFORM(T, mul)                                                                                                  \
  NON_UNIFORM(T, min)                                                                                                  \
  NON_UNIFORM(T, max)
#define OF_INTEGERS(T)                                                                                                 \
  NON_UNIFORM(T, and)                                                                                                  \
  NON_UNIFORM(T, or)                                                                                                   \
  NON_UNIFORM(T, xor)
EACH_SCALAR(OF_ALL)
EACH_INTEGER_SCALAR(OF_INTEGERS)

// ---- logical --------------------------------------------------------------------------------------------------------

HELPER int evenNumber(ulong bits) { return (__builtin_popcountl(bits) & 1) == 0; }
/// The work-items of this one's cluster.
HELPER ulong cluster(uint size) {
  return ~0ul >> (64 - size) << (__clarity_sub_group_local_id() & ~(size - 1));
}

#define LOGICAL(NAME, PARAMETERS, AMONG)                                                                               \
  CONVERGENT int sub_group_##NAME##_logical_and PARAMETERS {                                                           \
    return (__clarity_sub_group_ballot(predicate == 0) & AMONG) == 0;                                                  \
  }                                                                                                                    \
  CONVERGENT int sub_group_##NAME##_logical_or PARAMETERS {                                                            \
    return (__clarity_sub_group_ballot(predicate) & AMONG) != 0;                                                       \
  }                                                                                                                    \
  CONVERGENT int sub_group_##NAME##_logical_xor PARAMETERS {                                                           \
    return !evenNumber(__clarity_sub_group_ballot(predicate) & AMONG);                                                 \
  }
LOGICAL(non_uniform_reduce, (int predicate), ~0ul)
LOGICAL(non_uniform_scan_inclusive, (int predicate), upToThis())
LOGICAL(non_uniform_scan_exclusive, (int predicate), belowThis())
LOGICAL(clustered_reduce, (int predicate, uint size), cluster(size))
