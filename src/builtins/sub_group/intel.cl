// SPDX-License-Identifier: Apache-2.0
// This file defines the functions of cl_intel_subgroups, _char and _short by which work-items of a sub-group read each
// other's values: broadcasts, reductions and scans of small integers, and shuffles of scalars and vectors.

#include "sub_group/primitives.clh"

#define ONE(NAME, T)                                                                                                   \
  CONVERGENT T intel_sub_group_##NAME(T x) {                                                                           \
    return __clarity_sub_group_whole_##NAME##_##T(x);                                                                  \
  }
#define ARITHMETIC(T, OPERATION)                                                                                       \
  ONE(reduce_##OPERATION, T)                                                                                           \
  ONE(scan_inclusive_##OPERATION, T)                                                                                   \
  ONE(scan_exclusive_##OPERATION, T)
#define OF_SMALL_INTEGERS(T)                                                                                           \
  CONVERGENT T intel_sub_group_broadcast(T x, uint lane) {                                                             \
    return __clarity_sub_group_whole_broadcast_##T(x, lane);                                                           \
  }                                                                                                                    \
  ARITHMETIC(T, add)                                                                                                   \
  ARITHMETIC(T, min)                                                                                                   \
  ARITHMETIC(T, max)
/// Functions of vectors, which clang's header declares.
#define PART(F, i) F(x.s##i, lane)
#define BROADCAST(N, T)                                                                                                \
  CONVERGENT T##N intel_sub_group_broadcast(T##N x, uint lane) {                                                       \
    return (T##N)(LANES_##N(PART, __clarity_sub_group_whole_broadcast_##T));                                           \
  }
EACH_VECTOR_WIDTH(BROADCAST, char)
EACH_VECTOR_WIDTH(BROADCAST, uchar)
EACH_VECTOR_WIDTH(BROADCAST, short)
EACH_VECTOR_WIDTH(BROADCAST, ushort)
OF_SMALL_INTEGERS(char)
OF_SMALL_INTEGERS(uchar)
OF_SMALL_INTEGERS(short)
OF_SMALL_INTEGERS(ushort)

// ---- shuffles -------------------------------------------------------------------------------------------------------

#define ELEMENT(F, i) F(x.s##i, lane)
#define SHUFFLE_OF_VECTOR(N, T)                                                                                        \
  HELPER __attribute__((convergent)) T##N shuffled(T##N x, uint lane) {                                                \
    return (T##N)(LANES_##N(ELEMENT, __clarity_sub_group_shuffle_##T));                                                \
  }
#define SHUFFLE_OF_SCALAR(T)                                                                                           \
  HELPER __attribute__((convergent)) T shuffled(T x, uint lane) { return __clarity_sub_group_shuffle_##T(x, lane); }

/// Two values lie one behind the other: a lane that is not of the one is that of the other.
#define SHUFFLES(N, T)                                                                                                 \
  CONVERGENT T##N intel_sub_group_shuffle(T##N data, uint lane) { return shuffled(data, lane); }                       \
  CONVERGENT T##N intel_sub_group_shuffle_xor(T##N data, uint value) {                                                 \
    return shuffled(data, __clarity_sub_group_local_id() ^ value);                                                     \
  }                                                                                                                    \
  CONVERGENT T##N intel_sub_group_shuffle_down(T##N current, T##N next, uint delta) {                                  \
    uint size = __clarity_sub_group_max_size(), lane = __clarity_sub_group_local_id() + delta;                         \
    T##N near = shuffled(current, lane & (size - 1)), far = shuffled(next, lane & (size - 1));                         \
    return lane < size ? near : far;                                                                                   \
  }                                                                                                                    \
  CONVERGENT T##N intel_sub_group_shuffle_up(T##N previous, T##N current, uint delta) {                                \
    uint size = __clarity_sub_group_max_size(), lane = __clarity_sub_group_local_id() - delta;                         \
    T##N near = shuffled(current, lane & (size - 1)), far = shuffled(previous, lane & (size - 1));                     \
    return lane < size ? near : far;                                                                                   \
  }

#define OF_SCALAR(T) SHUFFLE_OF_SCALAR(T) SHUFFLES(, T)
EACH_SCALAR(OF_SCALAR)
#define OF_VECTOR(N, T) SHUFFLE_OF_VECTOR(N, T) SHUFFLES(N, T)
#define OF_VECTORS(T) EACH_VECTOR_WIDTH(OF_VECTOR, T)
OF_VECTORS(char)
OF_VECTORS(uchar)
OF_VECTORS(short)
OF_VECTORS(ushort)
OF_VECTORS(int)
OF_VECTORS(uint)
OF_VECTORS(float)
