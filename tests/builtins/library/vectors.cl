// SPDX-License-Identifier: Apache-2.0
// This file exercises what works on whole vectors: geometric and common functions, selection, shuffles; and the
// work-item queries.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// ---- geometric
#define GEOMETRIC(T, n)                                                                                                \
  void geometric_##T##_##n(global const T *a, global const T *b, global T *dotted, global T *lengths,                  \
                           global T *distances, global T *unit) {                                                      \
    T##n x = vload##n(0, a), y = vload##n(0, b);                                                                       \
    *dotted = dot(x, y);                                                                                               \
    *lengths = length(x);                                                                                              \
    *distances = distance(x, y);                                                                                       \
    vstore##n(normalize(x), 0, unit);                                                                                  \
  }
GEOMETRIC(float, 2)
GEOMETRIC(float, 3)
GEOMETRIC(float, 4)
GEOMETRIC(double, 2)
GEOMETRIC(double, 3)
GEOMETRIC(double, 4)
GEOMETRIC(half, 4)

void cross_float(global const float *a, global const float *b, global float *three, global float *four) {
  vstore3(cross(vload3(0, a), vload3(0, b)), 0, three);
  vstore4(cross(vload4(0, a), vload4(0, b)), 0, four);
}
void fast_float4(global const float *a, global float *lengths, global float *unit) {
  *lengths = fast_length(vload4(0, a));
  vstore4(fast_normalize(vload4(0, a)), 0, unit);
}

// ---- common
void common_float4(global const float *a, global const float *b, global float *out) {
  float4 x = vload4(0, a), y = vload4(0, b);
  vstore4(mix(x, y, 0.25f), 0, out);
  vstore4(smoothstep(-1.0f, 3.0f, x), 1, out);
  vstore4(clamp(x, -1.0f, 1.0f), 2, out);
  vstore4(degrees(x), 3, out);
  vstore4(radians(x), 4, out);
  vstore4(max(x, 0.5f), 5, out);
  vstore4(min(x, y), 6, out);
  vstore4(step(0.5f, x), 7, out);
  vstore4(mad(x, y, x), 8, out);
  vstore4(fma(x, y, x), 9, out);
}

// ---- relational
int any_int4(global const int *a) { return any(vload4(0, a)); }
int all_int4(global const int *a) { return all(vload4(0, a)); }
int any_char16(global const char *a) { return any(vload16(0, a)); }
int all_long3(global const long *a) { return all(vload3(0, a)); }
void select_float4(global const float *a, global const float *b, global const uint *c, global float *out) {
  float4 x = vload4(0, a), y = vload4(0, b);
  uint4 mask = vload4(0, c);
  vstore4(select(x, y, mask), 0, out);
  vstore4(select(x, y, as_int4(mask)), 1, out);
  vstore4(bitselect(x, y, as_float4(mask)), 2, out);
}
short select_short(short a, short b, ushort c) { return select(a, b, c); }

// ---- shuffles
#define SHUFFLES(T, U, m, n)                                                                                           \
  void shuffle_##T##_##m##_##n(global const T *a, global const T *b, global const U *mask, global T *one,              \
                               global T *two) {                                                                        \
    vstore##n(shuffle(vload##m(0, a), vload##n(0, mask)), 0, one);                                                     \
    vstore##n(shuffle2(vload##m(0, a), vload##m(0, b), vload##n(0, mask)), 0, two);                                    \
  }
#define RESULTS(T, U, m) SHUFFLES(T, U, m, 2) SHUFFLES(T, U, m, 4) SHUFFLES(T, U, m, 8) SHUFFLES(T, U, m, 16)
#define SOURCES(T, U) RESULTS(T, U, 2) RESULTS(T, U, 4) RESULTS(T, U, 8) RESULTS(T, U, 16)
SOURCES(char, uchar)
SOURCES(float, uint)

// ---- work-items
void queries(uint dim, global size_t *out) {
  out[0] = get_global_id(dim);
  out[1] = get_local_id(dim);
  out[2] = get_group_id(dim);
  out[3] = get_global_offset(dim);
  out[4] = get_global_size(dim);
  out[5] = get_local_size(dim);
  out[6] = get_enqueued_local_size(dim);
  out[7] = get_num_groups(dim);
  out[8] = get_work_dim();
  out[9] = get_global_linear_id();
  out[10] = get_local_linear_id();
}
void barriers(void) {
  barrier(CLK_LOCAL_MEM_FENCE);
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);
}
int spaces(generic int *p) {
  return (to_global(p) != 0) + 2 * (to_local(p) != 0) + 4 * (to_private(p) != 0) + 8 * get_fence(p);
}

// ---- payloads, powers of two, whole-number rounding to half
uint nan_bits(uint payload) { return as_uint(nan(payload)); }
ulong nan_bits_double(ulong payload) { return as_ulong(nan(payload)); }
void remquo_float4(global const float *a, global const float *b, global float *rest, global int *quotients) {
  int4 q;
  vstore4(remquo(vload4(0, a), vload4(0, b), &q), 0, rest);
  vstore4(q, 0, quotients);
}
void sincos_double3(global const double *a, global double *sines, global double *cosines) {
  double3 c;
  vstore3(sincos(vload3(0, a), &c), 0, sines);
  vstore3(c, 0, cosines);
}
void native_float2(float x, global float *out) {
  out[0] = native_sin(x);
  out[1] = half_exp2(x);
  out[2] = native_divide(1.0f, x);
  out[3] = half_rsqrt(x);
  out[4] = native_powr(x, 2.0f);
  out[5] = half_recip(x);
  vstore2(native_log2((float2)(x, 2 * x)), 3, out);
}
