// SPDX-License-Identifier: Apache-2.0
// This file exercises the builtins that touch memory: vector loads and stores, halves, copies, atomics.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// ---- vloadn, vstoren: element i of vector number `offset` goes to element i of the result.
#define ROUND_TRIP(n, T)                                                                                               \
  void copy_##T##_##n(global const T *from, constant T *same, global T *to, size_t offset) {                           \
    local T *unused = 0;                                                                                               \
    T kept[n];                                                                                                         \
    vstore##n(vload##n(offset, from), 0, kept);                                                                        \
    vstore##n(vload##n(0, kept), offset, to);                                                                          \
    (void)unused;                                                                                                      \
    (void)same;                                                                                                        \
  }
#define WIDTHS(T) ROUND_TRIP(2, T) ROUND_TRIP(3, T) ROUND_TRIP(4, T) ROUND_TRIP(8, T) ROUND_TRIP(16, T)
WIDTHS(char)
WIDTHS(ushort)
WIDTHS(int)
WIDTHS(double)

// ---- halves
#define HALF(n, F)                                                                                                     \
  void half_##F##_##n(global const F *in, global half *plain, global half *aligned, global float *back,                \
                      global float *backAligned, size_t offset) {                                                      \
    F##n values = vload##n(0, in);                                                                                     \
    vstore_half##n(values, offset, plain);                                                                             \
    vstorea_half##n(values, offset, aligned);                                                                          \
    vstore##n(vload_half##n(offset, plain), 0, back);                                                                  \
    vstore##n(vloada_half##n(offset, aligned), 0, backAligned);                                                        \
  }
#define HALVES(F) HALF(2, F) HALF(3, F) HALF(4, F) HALF(8, F) HALF(16, F)
HALVES(float)
HALVES(double)

#define MODES(F)                                                                                                       \
  void half_modes_##F(global const F *in, global half *out, int count) {                                               \
    for (int i = 0; i < count; ++i) {                                                                                  \
      vstore_half(in[i], i, out);                                                                                      \
      vstore_half_rte(in[i], count + i, out);                                                                          \
      vstore_half_rtz(in[i], 2 * count + i, out);                                                                      \
      vstore_half_rtp(in[i], 3 * count + i, out);                                                                      \
      vstore_half_rtn(in[i], 4 * count + i, out);                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  void half_mode_vectors_##F(global const F *in, global half *out, int count) {                                        \
    for (int i = 0; i < count / 4; ++i) {                                                                              \
      F##4 v = vload4(i, in);                                                                                          \
      vstore_half4(v, i, out);                                                                                         \
      vstore_half4_rte(v, count / 4 + i, out);                                                                         \
      vstore_half4_rtz(v, 2 * count / 4 + i, out);                                                                     \
      vstore_half4_rtp(v, 3 * count / 4 + i, out);                                                                     \
      vstore_half4_rtn(v, 4 * count / 4 + i, out);                                                                     \
    }                                                                                                                  \
  }
MODES(float)
MODES(double)

void load_half(global const half *in, global float *out, int count) {
  for (int i = 0; i < count; ++i)
    out[i] = vload_half(i, in);
}

// ---- asynchronous copies
void copy_async(local int *near, global const int *far, global int *back, size_t count) {
  event_t event = async_work_group_copy(near, far, count, 0);
  wait_group_events(1, &event);
  event = async_work_group_copy(back, near, count, 0);
  wait_group_events(1, &event);
}
void copy_strided(local float4 *near, global const float4 *far, global float4 *back, size_t count, size_t stride) {
  event_t event = async_work_group_strided_copy(near, far, count, stride, 0);
  async_work_group_strided_copy(back, near, count, stride, event);
  prefetch(far, count);
}

// ---- atomics: what they return, and what they leave behind
#define LEGACY(T, PREFIX)                                                                                              \
  void legacy_##PREFIX##_##T(volatile global T *p, T value, T other, global T *returned) {                             \
    returned[0] = PREFIX##_add(p, value);                                                                              \
    returned[1] = PREFIX##_sub(p, other);                                                                              \
    returned[2] = PREFIX##_xchg(p, value);                                                                             \
    returned[3] = PREFIX##_inc(p);                                                                                     \
    returned[4] = PREFIX##_dec(p);                                                                                     \
    returned[5] = PREFIX##_cmpxchg(p, value, other);                                                                   \
    returned[6] = PREFIX##_cmpxchg(p, value, value);                                                                   \
    returned[7] = PREFIX##_min(p, value);                                                                              \
    returned[8] = PREFIX##_max(p, other);                                                                              \
    returned[9] = PREFIX##_and(p, value);                                                                              \
    returned[10] = PREFIX##_or(p, other);                                                                              \
    returned[11] = PREFIX##_xor(p, value);                                                                             \
    returned[12] = *p;                                                                                                 \
  }
LEGACY(int, atomic)
LEGACY(uint, atomic)
LEGACY(int, atom)
LEGACY(long, atom)
LEGACY(ulong, atom)

float exchange_float(volatile local float *p, float value) { return atomic_xchg(p, value); }

#define C11(T)                                                                                                         \
  void c11_##T(volatile global atomic_##T *p, T value, T other, global T *returned, global int *equal) {               \
    atomic_init(p, value);                                                                                             \
    returned[0] = atomic_load(p);                                                                                      \
    atomic_store_explicit(p, other, memory_order_release);                                                             \
    returned[1] = atomic_load_explicit(p, memory_order_acquire, memory_scope_work_group);                              \
    returned[2] = atomic_exchange_explicit(p, value, memory_order_acq_rel);                                            \
    returned[3] = atomic_fetch_add(p, other);                                                                          \
    returned[4] = atomic_fetch_sub_explicit(p, value, memory_order_relaxed);                                           \
    returned[5] = atomic_fetch_min(p, value);                                                                          \
    returned[6] = atomic_fetch_max_explicit(p, other, memory_order_seq_cst, memory_scope_device);                      \
    T expected = value;                                                                                                \
    equal[0] = atomic_compare_exchange_strong(p, &expected, value);                                                    \
    returned[7] = expected;                                                                                            \
    equal[1] = atomic_compare_exchange_weak_explicit(p, &expected, value, memory_order_acq_rel, memory_order_relaxed); \
    returned[8] = expected;                                                                                            \
    returned[9] = atomic_load_explicit(p, memory_order_relaxed);                                                       \
  }
C11(int)
C11(ulong)
C11(float)
C11(double)

int flags(volatile global atomic_flag *flag) {
  int first = atomic_flag_test_and_set(flag);
  int second = atomic_flag_test_and_set_explicit(flag, memory_order_relaxed);
  atomic_flag_clear(flag);
  int third = atomic_flag_test_and_set(flag);
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
  mem_fence(CLK_LOCAL_MEM_FENCE);
  return first * 4 + second * 2 + third;
}
