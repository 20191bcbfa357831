// SPDX-License-Identifier: Apache-2.0
// This file defines the functions by which work-items of a sub-group read each other's values (OpenCL C 3.0, 6.15.19;
// cl_khr_subgroup_extended_types, _ballot, _shuffle, _shuffle_relative, _rotate).

#include "sub_group/primitives.clh"

#define EXCHANGES(T)                                                                                                   \
  CONVERGENT T sub_group_broadcast(T x, uint lane) {                                                                   \
    return __clarity_sub_group_whole_broadcast_##T(x, lane);                                                           \
  }                                                                                                                    \
  CONVERGENT T sub_group_non_uniform_broadcast(T x, uint lane) { return __clarity_sub_group_broadcast_##T(x, lane); }  \
  CONVERGENT T sub_group_broadcast_first(T x) {                                                                        \
    return __clarity_sub_group_broadcast_##T(x, (uint)__builtin_ctzl(__clarity_sub_group_ballot(1)));                  \
  }                                                                                                                    \
  CONVERGENT T sub_group_shuffle(T x, uint lane) { return __clarity_sub_group_shuffle_##T(x, lane); }                  \
  CONVERGENT T sub_group_shuffle_xor(T x, uint value) {                                                                \
    return __clarity_sub_group_shuffle_##T(x, __clarity_sub_group_local_id() ^ value);                                 \
  }                                                                                                                    \
  CONVERGENT T sub_group_shuffle_up(T x, uint delta) {                                                                 \
    return __clarity_sub_group_shuffle_##T(x, __clarity_sub_group_local_id() - delta);                                 \
  }                                                                                                                    \
  CONVERGENT T sub_group_shuffle_down(T x, uint delta) {                                                               \
    return __clarity_sub_group_shuffle_##T(x, __clarity_sub_group_local_id() + delta);                                 \
  }                                                                                                                    \
  CONVERGENT T sub_group_rotate(T x, int delta) {                                                                      \
    uint lane = __clarity_sub_group_local_id() + (uint)delta;                                                          \
    return __clarity_sub_group_shuffle_##T(x, lane & (__clarity_sub_group_max_size() - 1));                            \
  }                                                                                                                    \
  CONVERGENT T sub_group_clustered_rotate(T x, int delta, uint size) {                                                 \
    uint own = __clarity_sub_group_local_id();                                                                         \
    return __clarity_sub_group_shuffle_##T(x, (own & ~(size - 1)) | (own + (uint)delta & (size - 1)));                 \
  }
EACH_SCALAR(EXCHANGES)

#define ELEMENT(F, i) F(x.s##i, lane)
#define OF_VECTORS(N, T)                                                                                               \
  CONVERGENT T##N sub_group_broadcast(T##N x, uint lane) {                                                             \
    return (T##N)(LANES_##N(ELEMENT, __clarity_sub_group_whole_broadcast_##T));                                        \
  }                                                                                                                    \
  CONVERGENT T##N sub_group_non_uniform_broadcast(T##N x, uint lane) {                                                 \
    return (T##N)(LANES_##N(ELEMENT, __clarity_sub_group_broadcast_##T));                                              \
  }
#define OF_EVERY_VECTOR(T) EACH_VECTOR_WIDTH(OF_VECTORS, T)
EACH_SCALAR(OF_EVERY_VECTOR)
