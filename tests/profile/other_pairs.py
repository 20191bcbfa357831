# SPDX-License-Identifier: Apache-2.0
"""The causes of kernel_pairs.py, and others, in kernels of other shapes: functions, macros, pointers, loops of every
kind, as different people write them."""
from kernel_pairs import limit, pair

PAIRS = {
    "particle-pointer": pair("array of structures", "524288", "f:16777216 f:524288 float:0.01", """
typedef struct {
  float4 position;
  float4 velocity;
  float4 force[5];
  float radius, charge, age, spare;
} Particle;
__kernel void age_all(__global Particle* particles, __global float* out, float dt) {
  uint gid = get_global_id(0);
  __global Particle* p = &particles[gid];
  out[gid] = p->age + dt;  // cause
}""", """
__kernel void age_all(__global float* age, __global float* out, float dt) {
  uint gid = get_global_id(0);
  out[gid] = age[gid] + dt;
}""", count=12),
    "vector-component": pair("members are used", "1048576", "f:16777216 f:1048576", """
__kernel void red(__global const float16* pixels, __global float* r) {
  const size_t idx = get_global_id(0);
  r[idx] = pixels[idx].s3;  // cause
}""", """
__kernel void red(__global const float* pixels, __global float* r) {
  const size_t idx = get_global_id(0);
  r[idx] = pixels[idx + 16];
}""", count=12),
    "gather-temp": pair("wherever", "2097152", "f:4194304 i:2097152:4194304 f:2097152", """
__kernel void permute(__global const float* restrict src, __global const uint* restrict perm,
                      __global float* restrict dst) {
  size_t id = get_global_id(0);
  uint j = perm[id];
  float value = src[j];  // cause
  dst[id] = value * 2.0f;
}""", """
__kernel void permute(__global const float* restrict src, __global const uint* restrict perm,
                      __global float* restrict dst) {
  size_t id = get_global_id(0);
  uint j = perm[id];
  float value = src[id];
  dst[id] = value * 2.0f + j;
}""", count=8),
    "scatter": pair("wherever", "2097152", "f:2097152 i:2097152:2097152 f:2097152", """
__kernel void scatter(__global const float* src, __global const int* target, __global float* dst) {
  int id = get_global_id(0);
  dst[target[id]] = src[id] + 1.0f;  // cause
}""", """
__kernel void scatter(__global const float* src, __global const int* target, __global float* dst) {
  int id = get_global_id(0);
  dst[id] = src[id] + target[id];
}""", count=8),
    "helper-branch": pair("different branches", "524288", "f:524288 i:524288:2", """
float expensive(float x) {
  for (int n = 0; n < 50; n++) x = sqrt(x * x + 1.0f) - 0.5f * x;
  return x;
}
float cheaper(float x) {
  for (int n = 0; n < 50; n++) x = x / (1.0f + x * x);
  return x;
}
__kernel void classify(__global float* data, __global const int* kind) {
  int tid = get_global_id(0);
  float x = data[tid];
  if (kind[tid] == 1) {  // cause
    x = expensive(x);
  } else {
    x = cheaper(x);
  }
  data[tid] = x;
}""", """
float expensive(float x) {
  for (int n = 0; n < 50; n++) x = sqrt(x * x + 1.0f) - 0.5f * x;
  return x;
}
float cheaper(float x) {
  for (int n = 0; n < 50; n++) x = x / (1.0f + x * x);
  return x;
}
__kernel void classify(__global float* data, __global const int* kind) {
  int tid = get_global_id(0);
  float x = data[tid];
  if (kind[tid] == 1) {
    x = expensive(x);
  } else {
    x = cheaper(x);
  }
  data[tid] = x;
}""", count=8, mended_arguments="f:524288 s:524288:2"),
    "collatz": pair("different numbers of iterations", "262144", "i:262144 i:262144:100000", """
__kernel void collatz(__global int* steps, __global const int* start) {
  size_t i = get_global_id(0);
  uint n = start[i] + 1;
  int count = 0;
  while (n != 1) {  // cause
    n = (n & 1) ? 3 * n + 1 : n >> 1;
    count++;
  }
  steps[i] = count;
}""", """
__kernel void collatz(__global int* steps, __global const int* start) {
  size_t i = get_global_id(0);
  uint n = start[i] + 1;
  int count = 0;
  for (int k = 0; k < 110; k++) {
    n = (n & 1) ? 3 * n + 1 : n >> 1;
    count += n != 1;
  }
  steps[i] = count;
}"""),
    "newton-do": pair("different numbers of iterations", "262144", "f:262144 i:262144:300", """
__kernel void roots(__global float* r, __global const int* limits) {
  int g = get_global_id(0);
  float x = r[g] + 1.0f;
  int left = limits[g];
  do {  // cause
    x = 0.5f * (x + 2.0f / x);
    left--;
  } while (left > 0);
  r[g] = x;
}""", """
__kernel void roots(__global float* r, __global const int* limits) {
  int g = get_global_id(0);
  float x = r[g] + 1.0f;
  int left = limits[g];
  do {
    x = 0.5f * (x + 2.0f / x);
    left--;
  } while (left > 0);
  r[g] = x;
}""", mended_arguments="f:262144 s:262144:300"),
    "sums-of-keys": pair("compare and exchange", "524288", "i:524288:1000000 i:1024:1", """
inline void add_to(volatile global uint* sum, float value) {
  uint seen = *sum, wanted;
  do {
    wanted = as_uint(as_float(seen) + value);
    uint old = atomic_cmpxchg(sum, seen, wanted);  // cause
    if (old == seen) break;
    seen = old;
  } while (true);
}
kernel void weigh(global const int* key, global uint* sums) {
  const int id = get_global_id(0);
  add_to(sums + (key[id] & 3), (float)(key[id] & 15));
}""", """
kernel void weigh(global const int* key, global uint* sums) {
  const int id = get_global_id(0);
  float all = work_group_reduce_add((float)(key[id] & 15));
  if (get_local_id(0) == 0) sums[get_group_id(0) & 1023] = as_uint(all);
}""", local="128", options="-cl-std=CL3.0"),
    "helper-float-atomic": pair("compare and exchange", "262144", "f:262144 f:64", """
inline void add_float(volatile __global float* address, float value) {
  union { uint bits; float number; } expected, desired;
  do {
    expected.number = *address;
    desired.number = expected.number + value;
  } while (atomic_cmpxchg((volatile __global uint*)address, expected.bits, desired.bits) != expected.bits);  // cause
}
__kernel void accumulate(__global const float* samples, __global float* result) {
  add_float(result, samples[get_global_id(0)]);
}""", """
__kernel void accumulate(__global const float* samples, __global float* result) {
  float s = work_group_reduce_add(samples[get_global_id(0)]);
  if (get_local_id(0) == 0) result[get_group_id(0) & 63] += s;
}""", local="256", mended_options="-cl-std=CL2.0"),
    "histogram-skewed": pair("tomic functions", "2097152", "u:2097152 i:256:1 i:2097152:1", """
__kernel void histogram(__global const uchar* image, __global int* bins, __global int* rank) {
  size_t i = get_global_id(0);
  uchar level = image[i] >> 6;
  rank[i] = atomic_inc(bins + level);  // cause
}""", """
__kernel void histogram(__global const uchar* image, __global int* bins, __global int* rank) {
  size_t i = get_global_id(0);
  uchar level = image[i] >> 6;
  rank[i] = level + bins[level];
}"""),
    "max-atomic-return": pair("tomic functions", "1048576", "i:1048576:100000 i:4:1 i:1048576:1", """
kernel void best(global const int* score, global int* top, global int* before) {
  int i = get_global_id(0);
  before[i] = atomic_max(top, score[i]);  // cause
}""", """
kernel void best(global const int* score, global int* top, global int* before) {
  int i = get_global_id(0);
  before[i] = max(top[0], score[i]);
}"""),
    "group-1x1": pair("work-groups of 1", "256x256", "f:65536 f:65536 l:16", """
__kernel void center(__global const float* a, __global float* b, __local float* t) {
  int x = get_global_id(0), y = get_global_id(1);
  t[get_local_id(1) * get_local_size(0) + get_local_id(0)] = a[y * 256 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = t[0];
  for (int k = 0; k < 16; ++k) v = v * 0.5f + a[y * 256 + x];
  b[y * 256 + x] = v;
}""", """
__kernel void center(__global const float* a, __global float* b, __local float* t) {
  int x = get_global_id(0), y = get_global_id(1);
  t[get_local_id(1) * get_local_size(0) + get_local_id(0)] = a[y * 256 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = t[0];
  for (int k = 0; k < 16; ++k) v = v * 0.5f + a[y * 256 + x];
  b[y * 256 + x] = v;
}""", local="1x1", mended_local="64x4", count=20, mended_arguments="f:65536 f:65536 l:1024"),
    "barrier-while": pair("barrier", "65536", "f:65536", """
__kernel void relax(__global float* u) {
  __local float line[256];
  int t = get_local_id(0);
  float mine = u[get_global_id(0)];
  int step = 0;
  while (step < 200) {
    line[t] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);  // cause
    float left = line[t == 0 ? 255 : t - 1];
    float right = line[t == 255 ? 0 : t + 1];
    mine = 0.25f * left + 0.5f * mine + 0.25f * right;
    barrier(CLK_LOCAL_MEM_FENCE);
    step++;
  }
  u[get_global_id(0)] = mine;
}""", """
__kernel void relax(__global float* u) {
  int t = get_local_id(0);
  float mine = u[get_global_id(0)];
  for (int step = 0; step < 200; ++step) mine = 0.25f * mine + 0.5f * mine + 0.2f * mine;
  u[get_global_id(0)] = mine;
}""", local="256"),
    "spilled-vectors": pair("across a barrier", "32768", "f:32768 l:2048", """
__kernel void mixer(__global float* y, __local float* shared) {
  const uint l = get_local_id(0), n = get_local_size(0);
  float4 bank[12];  // cause
  for (int q = 0; q < 12; q++) bank[q] = (float4)(y[get_global_id(0)] * q);
  for (int r = 0; r < 40; r++) {
    shared[l] = bank[r % 12].x;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float o = shared[n - 1 - l];
    for (int q = 0; q < 12; q++) bank[q] = bank[q] * 0.9f + o;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float4 s = 0;
  for (int q = 0; q < 12; q++) s += bank[q];
  y[get_global_id(0)] = s.x + s.y + s.z + s.w;
}""", """
__kernel void mixer(__global float* y, __local float* shared) {
  const uint l = get_local_id(0), n = get_local_size(0);
  float v = y[get_global_id(0)], w = 0;
  for (int r = 0; r < 40; r++) {
    shared[l] = v * (r % 12);
    barrier(CLK_LOCAL_MEM_FENCE);
    w = w * 0.9f + shared[n - 1 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[get_global_id(0)] = w;
}""", local="128", count=8),
    "double-degrees": pair("double", "524288", "f:524288 f:524288", """
__kernel void to_radians(__global const float* degrees, __global float* out) {
  int i = get_global_id(0);
  float a = degrees[i];
  for (int n = 0; n < 40; ++n)
    a = a * 3.14159265358979 / 180.0 + 1e-3;  // cause
  out[i] = a;
}""", """
__kernel void to_radians(__global const float* degrees, __global float* out) {
  int i = get_global_id(0);
  float a = degrees[i];
  for (int n = 0; n < 40; ++n)
    a = a * (3.14159265358979f / 180.0f) + 1e-3f;
  out[i] = a;
}""", count=8),
    "double-macro": pair("double", "262144", "f:262144", """
#define DT 0.001
#define DRAG 0.98
__kernel void integrate(__global float* state) {
  size_t i = get_global_id(0);
  float v = state[i], p = 0.0f;
  for (int step = 0; step < 200; step++) {
    p = p * DRAG + v * DT;  // cause
    v += 0.5f * p;
  }
  state[i] = p;
}""", """
#define DT 0.001f
#define DRAG 0.98f
__kernel void integrate(__global float* state) {
  size_t i = get_global_id(0);
  float v = state[i], p = 0.0f;
  for (int step = 0; step < 200; step++) {
    p = p * DRAG + v * DT;
    v += 0.5f * p;
  }
  state[i] = p;
}""", count=8),
    "double-pi": pair("double", "262144", "f:262144", """
__kernel void wave(__global float* y) {
  size_t i = get_global_id(0);
  float v = y[i];
  for (int n = 1; n < 90; n++)
    v = (v + M_PI) / (n + M_SQRT2 * v);  // cause
  y[i] = v;
}""", """
__kernel void wave(__global float* y) {
  size_t i = get_global_id(0);
  float v = y[i];
  for (int n = 1; n < 90; n++)
    v = (v + M_PI_F) / (n + M_SQRT2_F * v);
  y[i] = v;
}"""),
    "double-helper": pair("double", "262144", "f:262144", """
float smoothstep3(float t) {
  return t * t * (3.0 - 2.0 * t);  // cause
}
__kernel void ease(__global float* y) {
  size_t i = get_global_id(0);
  float v = y[i];
  for (int n = 0; n < 100; n++) v = smoothstep3(v) * 0.5f + 0.25f;
  y[i] = v;
}""", """
float smoothstep3(float t) {
  return t * t * (3.0f - 2.0f * t);
}
__kernel void ease(__global float* y) {
  size_t i = get_global_id(0);
  float v = y[i];
  for (int n = 0; n < 100; n++) v = smoothstep3(v) * 0.5f + 0.25f;
  y[i] = v;
}""", count=8),
    "division-index": pair("An integer", "262144", "i:262144 i:262144 int:37 int:11", """
__kernel void layout(__global const int* x, __global int* y, int width, int pitch) {
  int i = get_global_id(0);
  int acc = 0;
  int w = width + (x[i] & 7);
  for (int k = 0; k < 64; k++) {
    int r = (x[i] + k * pitch) / w;  // cause
    acc ^= r;
  }
  y[i] = acc;
}""", """
__kernel void layout(__global const int* x, __global int* y, int width, int pitch) {
  int i = get_global_id(0);
  int acc = 0;
  int w = width + (x[i] & 7);
  float inverse = 1.0f / w;
  for (int k = 0; k < 64; k++) {
    int r = (int)((x[i] + k * pitch) * inverse);
    acc ^= r;
  }
  y[i] = acc;
}"""),
    "gcd": pair("An integer remainder", "262144", "i:262144:30000 i:262144:30000", """
__kernel void gcds(__global const uint* a, __global uint* b) {
  size_t i = get_global_id(0);
  uint p = a[i] + 1, s = 0;
  for (int k = 1; k < 40; ++k)
    s += p % (b[i] + k);  // cause
  b[i] = s;
}""", """
__kernel void gcds(__global const uint* a, __global uint* b) {
  size_t i = get_global_id(0);
  uint p = a[i] + 1, s = 0;
  for (int k = 1; k < 40; ++k)
    s += p & (b[i] + k);
  b[i] = s;
}"""),
    "pown": pair("pow", "262144", "f:262144", """
__kernel void lj(__global float* r) {
  uint g = get_global_id(0);
  float d = r[g] + 0.5f;
  float e = 0;
  for (int j = 0; j < 30; j++) {
    float q = 1.0f / (d + j);
    e += 4.0f * (pown(q, 12) - pown(q, 6));  // cause
  }
  r[g] = e;
}""", """
__kernel void lj(__global float* r) {
  uint g = get_global_id(0);
  float d = r[g] + 0.5f;
  float e = 0;
  for (int j = 0; j < 30; j++) {
    float q = 1.0f / (d + j);
    float q6 = q * q * q * q * q * q;
    e += 4.0f * (q6 * q6 - q6);
  }
  r[g] = e;
}"""),
    "power-float4": pair("pow", "65536", "f:262144", """
__kernel void gamma(__global float4* pixels) {
  uint g = get_global_id(0);
  float4 p = pixels[g];
  for (int j = 0; j < 10; j++)
    p = pow(p, (float4)(3.0f)) + 0.25f;  // cause
  pixels[g] = p;
}""", """
__kernel void gamma(__global float4* pixels) {
  uint g = get_global_id(0);
  float4 p = pixels[g];
  for (int j = 0; j < 10; j++)
    p = p * p * p + 0.25f;
  pixels[g] = p;
}"""),
    "gauss": pair("precise", "262144", "f:262144", """
float gaussian(float x, float s) {
  return exp(-x * x / (2.0f * s * s));  // cause
}
__kernel void weights(__global float* w) {
  uint g = get_global_id(0);
  float sum = 0;
  for (int j = 0; j < 24; j++) sum += gaussian(w[g] + j * 0.1f, 1.5f);
  w[g] = sum;
}""", """
__kernel void weights(__global float* w) {
  uint g = get_global_id(0);
  float sum = 0;
  for (int j = 0; j < 24; j++) sum += native_exp(-(w[g] + j * 0.1f) * (w[g] + j * 0.1f) * (1.0f / 4.5f));
  w[g] = sum;
}"""),
    "angles": pair("precise", "262144", "f:262144 f:262144", """
__kernel void angle(__global const float* x, __global float* y) {
  uint g = get_global_id(0);
  float a = y[g];
  for (int j = 0; j < 20; j++)
    a = atan2(x[g] + j, a + 1.0f);  // cause
  y[g] = a;
}""", """
__kernel void angle(__global const float* x, __global float* y) {
  uint g = get_global_id(0);
  float a = y[g];
  for (int j = 0; j < 20; j++) {
    float t = (x[g] + j) / (a + 1.0f);
    a = t / (1.0f + 0.28f * t * t);
  }
  y[g] = a;
}"""),
    "tanh-layer": pair("precise", "262144", "f:262144", """
__kernel void layers(__global float* y) {
  uint g = get_global_id(0);
  float a = y[g];
  for (int j = 0; j < 30; j++) {
    a = tanh(a * 1.3f - 0.1f);  // cause
  }
  y[g] = a;
}""", """
__kernel void layers(__global float* y) {
  uint g = get_global_id(0);
  float a = y[g];
  for (int j = 0; j < 30; j++) {
    float t = a * 1.3f - 0.1f;
    a = t * (27.0f + t * t) / (27.0f + 9.0f * t * t);
  }
  y[g] = a;
}"""),
    "group-counters": pair("one cache line", "2048", "i:4096 i:2048:1", """
__kernel void count_positive(__global const int* data, volatile __global int* counters) {
  const int group = get_group_id(0);
  for (int round = 0; round < 4000; ++round)
    if (get_local_id(0) == 0 && data[round] > 100)
      counters[group] += 1;  // cause
}""", """
__kernel void count_positive(__global const int* data, volatile __global int* counters) {
  const int group = get_group_id(0);
  int n = 0;
  for (int round = 0; round < 4000; ++round)
    if (get_local_id(0) == 0 && data[round] > 100)
      n += 1;
  if (get_local_id(0) == 0) counters[group] = n;
}""", local="8"),
    "linear-pixels": pair("linear filtering", "512x512", "image:512 linear f:262144 float:512", """
__kernel void copy_image(__read_only image2d_t img, sampler_t smp, __global float* out, float size) {
  const int2 pos = (int2)(get_global_id(0), get_global_id(1));
  float2 uv = (convert_float2(pos) + 0.5f) / size;
  float4 c = 0;
  for (int k = 0; k < 4; k++)
    c += read_imagef(img, smp, uv + (float2)(k / size, 0));  // cause
  out[pos.y * 512 + pos.x] = c.x + c.y;
}""", """
__kernel void copy_image(__read_only image2d_t img, sampler_t smp, __global float* out, float size) {
  const int2 pos = (int2)(get_global_id(0), get_global_id(1));
  float4 c = 0;
  for (int k = 0; k < 4; k++)
    c += read_imagef(img, min(pos + (int2)(k, 0), 511));
  out[pos.y * 512 + pos.x] = c.x + c.y;
}""", count=8),
    "texels-by-fractions": pair("Texels of image 'map'", "1024x1024", "image:1024 nearest f:1048576", """
__kernel void slopes(read_only image2d_t map, sampler_t s, __global float* out) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++)
      sum += read_imagef(map, s, (float2)((x + i) / 1024.0f, (y + j) / 1024.0f)).x;  // cause
  out[y * 1024 + x] = sum;
}""", """
__constant sampler_t whole = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void slopes(read_only image2d_t map, sampler_t s, __global float* out) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) sum += read_imagef(map, whole, (int2)(x + i, y + j)).x;
  out[y * 1024 + x] = sum;
}""", count=10),
    "long-remainders": pair("An integer remainder", "1048576", "f:1048576 f:1048576 int:1000", """
__kernel void wrap(__global const float* in, __global float* out, int period) {
  size_t i = get_global_id(0);
  long n = period, s = 0;
  for (long k = 1; k < 9; ++k)
    s += (i * k) % n;  // cause
  out[i] = in[i] + s;
}""", """
__kernel void wrap(__global const float* in, __global float* out, int period) {
  size_t i = get_global_id(0);
  long s = 0;
  for (long k = 1; k < 9; ++k) s += (i * k) & 1023;
  out[i] = in[i] + s;
}""", count=10),
    "square-root-by-power": pair("where sqrt would do", "262144", "f:262144", """
__kernel void soften(__global float* v) {
  int i = get_global_id(0);
  float x = v[i];
  for (int k = 0; k < 8; ++k)
    x = pow(x, 0.5f) + 0.25f;  // cause
  v[i] = x;
}""", """
__kernel void soften(__global float* v) {
  int i = get_global_id(0);
  float x = v[i];
  for (int k = 0; k < 8; ++k)
    x = sqrt(x) + 0.25f;
  v[i] = x;
}"""),
    "inverse-square": pair("where products would do", "262144", "f:262144", """
float attenuation(float distance) { return powr(distance, -2.0f); }  // cause
__kernel void light(__global float* v) {
  int i = get_global_id(0);
  float x = v[i], sum = 0;
  for (int k = 1; k < 9; ++k) sum += attenuation(x + k);
  v[i] = sum;
}""", """
float attenuation(float distance) { return 1.0f / (distance * distance); }
__kernel void light(__global float* v) {
  int i = get_global_id(0);
  float x = v[i], sum = 0;
  for (int k = 1; k < 9; ++k) sum += attenuation(x + k);
  v[i] = sum;
}"""),
    "local-count": pair("Atomic functions of all work-items meet in one word", "1048576", "u:2097152 i:16:1", """
__kernel void count(__global const uchar* in, __global int* out) {
  __local int hits;
  if (get_local_id(0) == 0) hits = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 8; ++k)
    if (in[get_global_id(0) + k * 64] > 100 + k)
      atomic_inc(&hits);  // cause
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) atomic_add(out, hits);
}""", """
__kernel void count(__global const uchar* in, __global int* out) {
  __local int all;
  if (get_local_id(0) == 0) all = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int hits = 0;
  for (int k = 0; k < 8; ++k) hits += in[get_global_id(0) + k * 64] > 100 + k;
  atomic_add(&all, hits);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) atomic_add(out, all);
}""", local="256"),
    "normals": pair("'normalize' is computed in its precise form", "262144", "f:262144", """
__kernel void shade(__global float* v) {
  int i = get_global_id(0);
  float x = v[i];
  for (int k = 0; k < 8; ++k) {
    float4 n = normalize((float4)(x, 1, 2, x + k));  // cause
    x = n.x + n.w;
  }
  v[i] = x;
}""", """
__kernel void shade(__global float* v) {
  int i = get_global_id(0);
  float x = v[i];
  for (int k = 0; k < 8; ++k) {
    float4 n = fast_normalize((float4)(x, 1, 2, x + k));
    x = n.x + n.w;
  }
  v[i] = x;
}""", count=20),
    "local-leader": pair("One work-item", "16384", "f:16384 f:1024 l:4096", """
__kernel void group_sum(__global const float* in, __global float* out, __local float* tmp) {
  int lid = get_local_id(0);
  tmp[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid == 0) {  // cause
    float s = 0;
    for (int r = 0; r < 200; ++r)
      for (int i = 0; i < get_local_size(0); i++)
        s += sqrt(tmp[i] + r);
    out[get_group_id(0)] = s;
  }
}""", """
__kernel void group_sum(__global const float* in, __global float* out, __local float* tmp) {
  int lid = get_local_id(0);
  float v = in[get_global_id(0)], s = 0;
  for (int r = 0; r < 200; ++r) s += sqrt(v + r);
  tmp[lid] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid == 0) {
    float all = 0;
    for (int i = 0; i < get_local_size(0); i++) all += tmp[i];
    out[get_group_id(0)] = all;
  }
}""", local="256"),
    "early-return-single": pair("One work-item", "1024", "f:1048576 f:1024 int:1048576", """
__kernel void prefix(__global const float* x, __global float* y, int n) {
  if (get_global_id(0) != 0) return;  // cause
  float s = 0;
  for (int k = 0; k < n; ++k) s = s * 0.5f + sqrt(x[k]);
  y[0] = s;
}""", """
__kernel void prefix(__global const float* x, __global float* y, int n) {
  float s = 0;
  for (int k = get_global_id(0); k < n; k += 1024) s = s * 0.5f + sqrt(x[k]);
  y[get_global_id(0)] = s;
}"""),
    "private-histogram": pair("private array", "65536", "u:4194304 i:65536:1", """
__kernel void mode(__global const uchar* d, __global int* out) {
  size_t i = get_global_id(0);
  int seen[32];
  for (int b = 0; b < 32; b++) seen[b] = 0;
  for (int k = 0; k < 64; k++)
    seen[d[k * 65536 + i] & 31]++;  // cause
  int best = 0;
  for (int b = 0; b < 32; b++) best = max(best, seen[b]);
  out[i] = best;
}""", """
__kernel void mode(__global const uchar* d, __global int* out) {
  size_t i = get_global_id(0);
  int best = 0;
  for (int k = 0; k < 64; k++)
    best = max(best, d[k * 65536 + i] & 31);
  out[i] = best;
}"""),
    "denormals": pair("denormal", "65536", "f:65536 f:65536", """
__kernel void decay(__global const float* x, __global float* y) {
  size_t i = get_global_id(0);
  float v = x[i] * 1e-39f;
  for (int k = 0; k < 200; k++)
    v = v * 0.99f + x[i] * 1e-41f;  // cause
  y[i] = v * 1e20f;
}""", """
__kernel void decay(__global const float* x, __global float* y) {
  size_t i = get_global_id(0);
  float v = x[i] * 1e-9f;
  for (int k = 0; k < 200; k++)
    v = v * 0.99f + x[i] * 1e-11f;
  y[i] = v * 1e-10f;
}""", count=16),
    "imbalance": pair("very different times", "65536", "f:65536", """
__kernel void uneven(__global float* y) {
  int i = get_global_id(0);
  int rounds = get_group_id(0) == get_num_groups(0) - 1 ? 1000000 : 500;
  float v = y[i];
  for (int k = 0; k < rounds; k++)  // cause
    v = v * 0.999f + 0.5f;
  y[i] = v;
}""", """
__kernel void uneven(__global float* y) {
  int i = get_global_id(0);
  int rounds = 4000;
  float v = y[i];
  for (int k = 0; k < rounds; k++)
    v = v * 0.999f + 0.5f;
  y[i] = v;
}""", local="256"),
    "scrambled-lengths": pair("different numbers of iterations", "262144", "f:262144", """
__kernel void decay(__global float* v) {
  uint gid = get_global_id(0);
  uint steps = (gid * 2654435761u) >> 25;
  float a = v[gid];
  for (uint s = 0; s < steps; s++)  // cause
    a = mad(a, 0.97f, 0.01f);
  v[gid] = a;
}""", """
__kernel void decay(__global float* v) {
  uint gid = get_global_id(0);
  uint steps = gid >> 11;
  float a = v[gid];
  for (uint s = 0; s < steps; s++)
    a = mad(a, 0.97f, 0.01f);
  v[gid] = a;
}""", count=20),
    "interleaved-channel": pair("few are used", "2097152", "u:8388608 u:2097152", """
__kernel void green(__global const uchar* rgb, __global uchar* plane) {
  size_t p = get_global_id(0);
  __global const uchar* at = rgb + 4 * p;
  plane[p] = at[1];  // cause
}""", """
__kernel void green(__global const uchar* rgb, __global uchar* plane) {
  size_t p = get_global_id(0);
  plane[p] = rgb[p + 2097152];
}""", count=300),
    "append-list": pair("tomic functions", "1048576", "i:1048576:100 i:1048576 i:16:1", """
__kernel void select(__global const int* keys, __global int* found, __global atomic_int* n) {
  int id = get_global_id(0);
  if (keys[id] < 50) {
    int slot = atomic_fetch_add_explicit(n, 1, memory_order_relaxed, memory_scope_device);  // cause
    found[slot & 1048575] = id;
  }
}""", """
__kernel void select(__global const int* keys, __global int* found, __global atomic_int* n) {
  int id = get_global_id(0);
  __local int first;
  int in = keys[id] < 50, at = work_group_scan_exclusive_add(in);
  if (get_local_id(0) == get_local_size(0) - 1)
    first = atomic_fetch_add_explicit(n, at + in, memory_order_relaxed, memory_scope_device);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (in) found[(first + at) & 1048575] = id;
}""", local="256", count=20, options="-cl-std=CL2.0"),
    "ring-buffer": pair("An integer remainder", "131072", "f:131072 i:64:1000 int:61", """
#define TAPS 48
__kernel void fir(__global float* y, __global const int* ring, int length) {
  int n = get_global_id(0);
  float sum = 0.0f;
  for (int tap = 0; tap < TAPS; ++tap) {
    int slot = (n + tap * 7) % length;  // cause
    sum += (float)slot * 0.125f;
  }
  y[n] = sum;
}""", """
#define TAPS 48
__kernel void fir(__global float* y, __global const int* ring, int length) {
  int n = get_global_id(0);
  float sum = 0.0f;
  int slot = n % length;
  for (int tap = 0; tap < TAPS; ++tap) {
    sum += (float)slot * 0.125f;
    slot += 7;
    slot = slot >= length ? slot - length : slot;
  }
  y[n] = sum;
}""", count=12),
    "double-norm": pair("double", "524288", "u:524288 f:524288", """
__kernel void normalise(__global const uchar* pixels, __global float* out) {
  int i = get_global_id(0);
  float p = pixels[i];
  float q = 0;
  for (int j = 1; j <= 16; ++j)
    q = q * 0.5f + (p - 127.5) / (255.0 * j);  // cause
  out[i] = q;
}""", """
__kernel void normalise(__global const uchar* pixels, __global float* out) {
  int i = get_global_id(0);
  float p = pixels[i];
  float q = 0;
  for (int j = 1; j <= 16; ++j)
    q = q * 0.5f + (p - 127.5f) / (255.0f * j);
  out[i] = q;
}""", count=8),
    "bins-of-items": pair("private array", "131072", "u:8388608 i:131072", """
__kernel void modes(__global const uchar* samples, __global int* mode) {
  int i = get_global_id(0);
  ushort bins[32];
  for (int b = 0; b < 32; b++) bins[b] = 0;
  for (int k = 0; k < 64; k++)
    bins[samples[k * 131072 + i] & 31]++;  // cause
  int best = 0;
  for (int b = 1; b < 32; b++) if (bins[b] > bins[best]) best = b;
  mode[i] = best;
}""", """
__kernel void modes(__global const uchar* samples, __global int* mode) {
  int i = get_global_id(0);
  uint mask = 0;
  for (int k = 0; k < 64; k++)
    mask ^= 1u << (samples[k * 131072 + i] & 31);
  mode[i] = popcount(mask);
}""", count=4),
    "skewed-rows": pair("different numbers of iterations", "65536", "f:4194304 i:65536:64 f:65536", """
typedef float real;
__kernel void row_sums(__global const real* values, __global const int* lengths, __global real* sums) {
  const uint row = get_global_id(0);
  real s = 0;
  int k = 0;
  while (k < lengths[row]) {  // cause
    s += values[k * 65536 + row];
    ++k;
  }
  sums[row] = s;
}""", """
typedef float real;
__kernel void row_sums(__global const real* values, __global const int* lengths, __global real* sums) {
  const uint row = get_global_id(0);
  real s = 0;
  int k = 0;
  while (k < lengths[row]) {
    s += values[k * 65536 + row];
    ++k;
  }
  sums[row] = s;
}""", count=20, mended_arguments="f:4194304 s:65536:64 f:65536"),
    "groups-4x4": pair("work-groups of 4x4", "1024x1024", "f:1048576", """
__kernel void box(__global float* img) {
  __local float t[16][16];
  int lx = get_local_id(0), ly = get_local_id(1), n = get_global_size(0);
  int at = get_global_id(1) * n + get_global_id(0);
  t[ly][lx] = img[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  int w = get_local_size(0), h = get_local_size(1);
  for (int k = 0; k < 24; ++k) s += t[(ly + k) % h][lx] * 0.04f;
  img[at] = s;
}""", """
__kernel void box(__global float* img) {
  __local float t[16][16];
  int lx = get_local_id(0), ly = get_local_id(1), n = get_global_size(0);
  int at = get_global_id(1) * n + get_global_id(0);
  t[ly][lx] = img[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  int w = get_local_size(0), h = get_local_size(1);
  for (int k = 0; k < 24; ++k) s += t[(ly + k) % h][lx] * 0.04f;
  img[at] = s;
}""", local="4x4", mended_local="16x16", count=8),
    "local-column": pair("apart in", "65536", "f:65536", """
__kernel void rows_of_tile(__global float* data) {
  __local float tile[64 * 64];
  int l = get_local_id(0), base = get_group_id(0) * 64;
  for (int k = 0; k < 64; k++) tile[k * 64 + l] = data[base + l] + k;
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  for (int r = 0; r < 20; r++)
    for (int k = 0; k < 64; k++)
      s = s * 0.5f + tile[l * 64 + k];  // cause
  data[base + l] = s;
}""", """
__kernel void rows_of_tile(__global float* data) {
  __local float tile[64 * 64];
  int l = get_local_id(0), base = get_group_id(0) * 64;
  for (int k = 0; k < 64; k++) tile[k * 64 + l] = data[base + l] + k;
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  for (int r = 0; r < 20; r++)
    for (int k = 0; k < 64; k++)
      s = s * 0.5f + tile[k * 64 + l];
  data[base + l] = s;
}""", local="64", count=10),
    "escape-break": pair("different numbers of iterations", "262144", "f:262144 i:262144:256", """
__kernel void converge(__global float* x, __global const int* stop) {
  int i = get_global_id(0);
  float v = x[i];
  for (int k = 0; k < 256; ++k) {  // cause
    v = v * 0.75f + 1.0f / (1.0f + v);
    if (k == stop[i]) break;
  }
  x[i] = v;
}""", """
__kernel void converge(__global float* x, __global const int* stop) {
  int i = get_global_id(0);
  float v = x[i];
  for (int k = 0; k < 256; ++k) {
    v = v * 0.75f + 1.0f / (1.0f + v);
    if (k == stop[i]) break;
  }
  x[i] = v;
}""", count=8, mended_arguments="f:262144 s:262144:256"),
    "printf-left-in": pair(
        "printf takes most", "65536", "f:65536 f:65536",
        """
kernel void squares(global const float* x, global float* y) {
  int i = get_global_id(0);
  float v = x[i] * x[i];
  if (i % 64 == 0)
    printf("%d %f\\n", i, v);  // cause
  y[i] = v;
}""",
        """
kernel void squares(global const float* x, global float* y) {
  int i = get_global_id(0);
  y[i] = x[i] * x[i];
}""", count=60),
    "not-optimised": pair(
        "-cl-opt-disable", "65536", "f:65536 f:65536",
        """
kernel void series(global const float* x, global float* y) {
  int i = get_global_id(0);
  float v = x[i], s = 0;
  for (int k = 0; k < 64; ++k) s = s * v + k;
  y[i] = s;
}""",
        """
kernel void series(global const float* x, global float* y) {
  int i = get_global_id(0);
  float v = x[i], s = 0;
  for (int k = 0; k < 64; ++k) s = s * v + k;
  y[i] = s;
}""", count=10, options="-cl-opt-disable", mended_options=""),
    "joined-branches": pair(
        "different branches", "1048576", "i:1048576:4 f:1048576",
        """
float shade(int kind, float v) {
  if (kind == 0) { for (int k = 0; k < 8; ++k) v = v * v + 0.1f; return v; }  // cause
  if (kind == 1) { for (int k = 0; k < 8; ++k) v = v * 0.5f - 1; return v; }
  if (kind == 2) { for (int k = 0; k < 8; ++k) v = sqrt(fabs(v)); return v; }
  for (int k = 0; k < 8; ++k) v = 1 / (1 + v * v);
  return v;
}
kernel void paint(global const int* kind, global float* y) {
  int i = get_global_id(0);
  y[i] = shade(kind[i], y[i]);
}""",
        """
float shade(int kind, float v) {
  for (int k = 0; k < 8; ++k) v = v * v + 0.1f * kind;
  return v;
}
kernel void paint(global const int* kind, global float* y) {
  int i = get_global_id(0);
  y[i] = shade(kind[i], y[i]);
}""", count=20),
}

AT_LIMIT = {
    "lookup-table": limit("4194304", "u:4194304 f:256 f:4194304", """
__kernel void lut(__global const uchar* in, __constant float* table, __global float* out) {
  size_t i = get_global_id(0);
  out[i] = table[in[i]];
}"""),
    "black-scholes": limit("1048576", "f:1048576 f:1048576 f:1048576", """
__kernel void bs(__global const float* s, __global const float* k, __global float* call) {
  size_t i = get_global_id(0);
  float S = s[i] + 1.0f, K = k[i] + 1.0f;
  float d1 = (native_log(S / K) + 0.06f) * 2.5f, d2 = d1 - 0.4f;
  float n1 = 1.0f / (1.0f + native_exp(-1.6f * d1)), n2 = 1.0f / (1.0f + native_exp(-1.6f * d2));
  call[i] = S * n1 - K * n2 * 0.95f;
}"""),
    "bgr-to-gray": limit("4194304", "u:16777216 u:4194304", """
__kernel void gray(__global const uchar4* rgba, __global uchar* g) {
  size_t i = get_global_id(0);
  uchar4 p = rgba[i];
  g[i] = (uchar)((p.x * 77 + p.y * 151 + p.z * 28) >> 8);
}"""),
    "convolution3x3": limit("1024x1024", "f:1052676 f:1048576", """
__kernel void conv(__global const float* a, __global float* b) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int v = 0; v < 3; v++)
    for (int u = 0; u < 3; u++) s += a[(y + v) * 1026 + x + u] * (u + v);
  b[y * 1024 + x] = s;
}"""),
    "complex-mul": limit("2097152", "f:4194304 f:4194304", """
__kernel void cmul(__global const float2* a, __global float2* b) {
  size_t i = get_global_id(0);
  float2 p = a[i], q = b[i];
  b[i] = (float2)(p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x);
}"""),
    "whole-structures": limit("524288", "f:4194304 f:4194304", """
typedef struct { float x, y, z, vx, vy, vz, m, pad; } Body;
__kernel void move(__global Body* b, __global Body* o) {
  size_t i = get_global_id(0);
  Body p = b[i];
  p.x += p.vx; p.y += p.vy; p.z += p.vz; p.m *= 0.99f; p.pad = 1;
  o[i] = p;
}"""),
    "scan-blocks": limit("1048576", "i:1048576 i:1048576", """
kernel void scan(global const int* x, global int* y) {
  y[get_global_id(0)] = work_group_scan_inclusive_add(x[get_global_id(0)]);
}""", local="256", options="-cl-std=CL2.0"),
    "sparse-branch": limit("4194304", "f:4194304 f:4194304", """
__kernel void clip(__global const float* x, __global float* y) {
  size_t i = get_global_id(0);
  float v = x[i];
  if (v > 0.9f) v = 0.9f + (v - 0.9f) * 0.1f;
  if (v < 0.1f) v = 0.1f;
  y[i] = v;
}"""),
    "sha-rounds": limit("262144", "i:262144", """
__kernel void rounds(__global uint* h) {
  size_t i = get_global_id(0);
  uint a = h[i], b = a ^ 0x6a09e667, c = 0xbb67ae85, d = 0x3c6ef372;
  for (int k = 0; k < 64; k++) {
    uint t = rotate(a, 5u) + (b & c ^ ~b & d) + k * 0x9e3779b9u;
    d = c; c = rotate(b, 30u); b = a; a = t;
  }
  h[i] = a + b + c + d;
}"""),
    "median9": limit("1024x1024", "u:1048576 u:1048576", """
#define S(a, b) t = min(a, b); b = max(a, b); a = t;
__kernel void median(__global const uchar* in, __global uchar* out) {
  int x = clamp((int)get_global_id(0), 1, 1022), y = clamp((int)get_global_id(1), 1, 1022);
  uchar t, a = in[(y - 1) * 1024 + x], b = in[y * 1024 + x - 1], c = in[y * 1024 + x], d = in[y * 1024 + x + 1],
           e = in[(y + 1) * 1024 + x];
  S(a, b) S(d, e) S(a, d) S(b, e) S(b, c) S(c, d) S(b, c)
  out[get_global_id(1) * 1024 + get_global_id(0)] = c;
}"""),
    "relu": limit("4194304", "f:4194304 f:4194304", """
__kernel void relu(__global const float* in, __global float* out) {
  size_t i = get_global_id(0);
  out[i] = fmax(in[i], 0.0f);
}"""),
    "batch-norm": limit("4194304", "f:4194304 f:4194304 f:64 f:64", """
__kernel void bn(__global const float* in, __global float* out, __constant float* mean, __constant float* scale) {
  size_t i = get_global_id(0);
  int channel = i >> 16;
  out[i] = (in[i] - mean[channel]) * scale[channel];
}"""),
    "quantise": limit("4194304", "f:4194304 u:4194304", """
__kernel void quantise(__global const float* in, __global uchar* out) {
  size_t i = get_global_id(0);
  out[i] = convert_uchar_sat_rte(in[i] * 255.0f);
}"""),
    "invert": limit("4194304", "u:16777216 u:16777216", """
__kernel void invert(__global const uchar4* in, __global uchar4* out) {
  size_t i = get_global_id(0);
  out[i] = (uchar4)(255) - in[i];
}"""),
    "blend": limit("2097152", "u:8388608 u:8388608", """
__kernel void blend(__global const uchar4* over, __global uchar4* under) {
  size_t i = get_global_id(0);
  ushort4 o = convert_ushort4(over[i]), u = convert_ushort4(under[i]);
  ushort a = o.w;
  under[i] = convert_uchar4((o * a + u * (ushort)(255 - a)) >> 8);
}"""),
    "life": limit("1024x1024", "u:1052676 u:1048576", """
__kernel void life(__global const uchar* now, __global uchar* then) {
  int x = get_global_id(0), y = get_global_id(1), i = (y + 1) * 1026 + x + 1;
  int n = now[i - 1027] + now[i - 1026] + now[i - 1025] + now[i - 1] + now[i + 1] + now[i + 1025] + now[i + 1026] +
          now[i + 1027];
  then[y * 1024 + x] = (n & 255) == 3 || ((n & 255) == 2 && now[i]);
}"""),
    "monte-carlo": limit("65536", "i:65536", """
__kernel void hits(__global uint* seeds) {
  size_t i = get_global_id(0);
  uint s = seeds[i] | 1, in = 0;
  for (int n = 0; n < 200; ++n) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    float x = (s & 65535) / 65536.0f, y = (s >> 16) / 65536.0f;
    in += x * x + y * y < 1;
  }
  seeds[i] = in;
}"""),
    "blur-rows": limit("1024x1024", "f:1064960 f:1048576 f:16", """
__kernel void blur(__global const float* in, __global float* out, __constant float* w) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int k = 0; k < 15; k++) s = fma(w[k], in[y * 1040 + x + k], s);
  out[y * 1024 + x] = s;
}"""),
    "blur-columns": limit("1024x1024", "f:1064960 f:1048576 f:16", """
__kernel void blur(__global const float* in, __global float* out, __constant float* w) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int k = 0; k < 15; k++) s = fma(w[k], in[(y + k) * 1024 + x], s);
  out[y * 1024 + x] = s;
}"""),
    "sobel": limit("1024x1024", "f:1052676 f:1048576", """
__kernel void sobel(__global const float* p, __global float* out) {
  int x = get_global_id(0), y = get_global_id(1);
  __global const float* c = p + (y + 1) * 1026 + x + 1;
  float gx = c[-1025] + 2 * c[1] + c[1027] - c[-1027] - 2 * c[-1] - c[1025];
  float gy = c[1025] + 2 * c[1026] + c[1027] - c[-1027] - 2 * c[-1026] - c[-1025];
  out[y * 1024 + x] = sqrt(gx * gx + gy * gy);
}"""),
    "stencil-3d": limit("128x128x126", "f:2097152 f:2097152", """
__kernel void laplace(__global const float* a, __global float* b) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2) + 1;
  int i = (z * 128 + y) * 128 + x;
  float left = x > 0 ? a[i - 1] : 0, right = x < 127 ? a[i + 1] : 0;
  float up = y > 0 ? a[i - 128] : 0, down = y < 127 ? a[i + 128] : 0;
  b[i] = left + right + up + down + a[i - 16384] + a[i + 16384] - 6 * a[i];
}"""),
    "dot": limit("262144", "f:4194304 f:4194304 f:4096", """
kernel void dot_parts(global const float* x, global const float* y, global float* part) {
  float s = 0;
  for (int k = get_global_id(0); k < 4194304; k += get_global_size(0)) s += x[k] * y[k];
  s = work_group_reduce_add(s);
  if (get_local_id(0) == 0) part[get_group_id(0)] = s;
}""", local="256", options="-cl-std=CL2.0", count=10),
    "row-softmax": limit("524288", "f:2097152 f:2097152", """
kernel void softmax(global const float* x, global float* y) {
  int row = get_group_id(0), l = get_local_id(0);
  float v[4], m = -1e30f, s = 0;
  for (int k = 0; k < 4; ++k) m = fmax(m, v[k] = x[row * 1024 + k * 256 + l]);
  m = work_group_reduce_max(m);
  for (int k = 0; k < 4; ++k) s += v[k] = native_exp(v[k] - m);
  s = 1 / work_group_reduce_add(s);
  for (int k = 0; k < 4; ++k) y[row * 1024 + k * 256 + l] = v[k] * s;
}""", local="256", options="-cl-std=CL2.0"),
    "matrix-vector": limit("262144", "f:4194304 f:4096 f:1024", """
kernel void mv(global const float* a, global const float* x, global float* y) {
  int row = get_group_id(0);
  float s = 0;
  for (int k = get_local_id(0); k < 4096; k += 256) s += a[row * 4096 + k] * x[k];
  s = work_group_reduce_add(s);
  if (get_local_id(0) == 0) y[row] = s;
}""", local="256", options="-cl-std=CL2.0"),
    "blocked-gemm": limit("64x64", "f:65536 f:65536 f:65536", """
__kernel void gemm(__global const float* a, __global const float* b, __global float* c) {
  int x = get_global_id(0) * 4, y = get_global_id(1) * 4;
  float4 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (int k = 0; k < 256; k++) {
    float4 v = vload4(0, b + k * 256 + x);
    s0 += a[y * 256 + k] * v;
    s1 += a[(y + 1) * 256 + k] * v;
    s2 += a[(y + 2) * 256 + k] * v;
    s3 += a[(y + 3) * 256 + k] * v;
  }
  vstore4(s0, 0, c + y * 256 + x);
  vstore4(s1, 0, c + (y + 1) * 256 + x);
  vstore4(s2, 0, c + (y + 2) * 256 + x);
  vstore4(s3, 0, c + (y + 3) * 256 + x);
}""", count=12),
    "max-pool": limit("512x512", "f:1048576 f:262144", """
__kernel void pool(__global const float* in, __global float* out) {
  int x = get_global_id(0), y = get_global_id(1);
  __global const float* p = in + 2 * y * 1024 + 2 * x;
  out[y * 512 + x] = fmax(fmax(p[0], p[1]), fmax(p[1024], p[1025]));
}"""),
    "bitonic-step": limit("524288", "i:1048576", """
__kernel void step(__global int* v) {
  int t = get_global_id(0), j = 256;
  int i = (t & (j - 1)) | ((t & ~(j - 1)) << 1);
  int a = v[i], b = v[i | j];
  v[i] = min(a, b);
  v[i | j] = max(a, b);
}"""),
    "butterfly": limit("524288", "f:2097152", """
__kernel void radix2(__global float2* v) {
  int t = get_global_id(0), h = 4096;
  int i = (t & (h - 1)) | ((t & ~(h - 1)) << 1);
  float2 a = v[i], b = v[i | h];
  float angle = -3.14159265f * (t & (h - 1)) / h, c = native_cos(angle), s = native_sin(angle);
  float2 r = (float2)(b.x * c - b.y * s, b.x * s + b.y * c);
  v[i] = a + r;
  v[i | h] = a - r;
}"""),
    "crc-words": limit("262144", "i:262144", """
__kernel void crc(__global uint* v) {
  size_t i = get_global_id(0);
  uint c = v[i];
  for (int b = 0; b < 64; b++) c = (c >> 1) ^ (0xedb88320u & -(c & 1));
  v[i] = c;
}"""),
    "popcounts": limit("2097152", "i:2097152 i:2097152", """
__kernel void bits(__global const uint* a, __global uint* b) {
  size_t i = get_global_id(0);
  b[i] = popcount(a[i] ^ (a[i] >> 1));
}"""),
    "memset": limit("4194304", "f:4194304 float:1", """
__kernel void set(__global float* a, float v) { a[get_global_id(0)] = v; }"""),
    "iota": limit("4194304", "i:4194304", """
__kernel void iota(__global int* a) { a[get_global_id(0)] = get_global_id(0); }"""),
    "short-adds": limit("4194304", "u:8388608 u:8388608", """
__kernel void add(__global const short* a, __global short* b) {
  size_t i = get_global_id(0);
  b[i] = add_sat(a[i], b[i]);
}"""),
    "half-angles": limit("1048576", "f:1048576 f:1048576", """
__kernel void rotate2(__global const float* a, __global float* b) {
  size_t i = get_global_id(0);
  float x = a[i], y = b[i];
  for (int k = 0; k < 40; k++) {
    float t = x * 0.8f - y * 0.6f;
    y = x * 0.6f + y * 0.8f;
    x = t;
  }
  b[i] = x + y;
}"""),
    "double-horner": limit("524288", "d:524288", """
__kernel void horner(__global double* v) {
  size_t i = get_global_id(0);
  double x = v[i], p = 0.1;
  for (int k = 0; k < 40; k++) p = fma(p, x, 0.5);
  v[i] = p;
}"""),
    "distances": limit("8192", "f:16384 f:8192", """
__kernel void nearest(__global const float2* points, __global float* best) {
  size_t i = get_global_id(0);
  float2 here = points[i];
  float least = 1e30f;
  for (int k = 0; k < 8192; k++) {
    float2 d = points[k] - here;
    float r = d.x * d.x + d.y * d.y;
    least = k == i ? least : fmin(least, r);
  }
  best[i] = sqrt(least);
}"""),
    "tiled-bodies": limit("4096", "f:16384 f:16384", """
__kernel void forces(__global const float4* at, __global float4* force) {
  __local float4 tile[128];
  int i = get_global_id(0), l = get_local_id(0);
  float4 here = at[i];
  float3 sum = 0;
  for (int t = 0; t < 4096; t += 128) {
    tile[l] = at[t + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 128; k++) {
      float3 d = tile[k].xyz - here.xyz;
      float r = rsqrt(dot(d, d) + 0.01f);
      sum += d * (tile[k].w * r * r * r);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  force[i] = (float4)(sum, 0);
}""", local="128"),
    "im2col": limit("1024x1022", "f:1048576 f:3139584", """
__kernel void unfold(__global const float* in, __global float* out) {
  int x = get_global_id(0), y = get_global_id(1);
  for (int k = 0; k < 3; k++) out[(k * 1022 + y) * 1024 + x] = in[(y + k) * 1024 + x];
}"""),
    "reverse": limit("4194304", "f:4194304 f:4194304 int:4194303", """
__kernel void reverse(__global const float* a, __global float* b, int last) {
  int i = get_global_id(0);
  b[i] = a[last - i];
}"""),
    "luma": limit("4194304", "u:12582912 u:4194304", """
__kernel void luma(__global const uchar* r, __global uchar* y) {
  size_t i = get_global_id(0);
  y[i] = (66 * r[i] + 129 * r[i + 4194304] + 25 * r[i + 8388608] + 4224) >> 8;
}"""),
    "hadamard": limit("262144", "f:2097152", """
__kernel void hadamard8(__global float* v) {
  size_t i = get_global_id(0);
  float a[8];
  for (int k = 0; k < 8; k++) a[k] = v[k * 262144 + i];
  for (int h = 1; h < 8; h *= 2)
    for (int k = 0; k < 8; k++)
      if (!(k & h)) {
        float s = a[k] + a[k + h];
        a[k + h] = a[k] - a[k + h];
        a[k] = s;
      }
  for (int k = 0; k < 8; k++) v[k * 262144 + i] = a[k];
}"""),
    "exchange": limit("2097152", "i:2097152 i:2097152", """
__kernel void exchange(__global int* a, __global int* b) {
  size_t i = get_global_id(0);
  int t = a[i];
  a[i] = b[i];
  b[i] = t;
}"""),
    "long-sums": limit("1048576", "d:1048576 d:1048576", """
__kernel void sums(__global const long* a, __global long* b) {
  size_t i = get_global_id(0);
  b[i] += a[i] ^ (a[i] << 7);
}"""),
    "unsharp": limit("1024x1024", "f:1052676 f:1048576 float:0.7", """
__kernel void sharpen(__global const float* in, __global float* out, float amount) {
  int x = get_global_id(0), y = get_global_id(1);
  __global const float* p = in + (y + 1) * 1026 + x + 1;
  float blur = 0.25f * p[0] + 0.125f * (p[-1] + p[1] + p[-1026] + p[1026]) +
               0.0625f * (p[-1027] + p[-1025] + p[1025] + p[1027]);
  out[y * 1024 + x] = p[0] + amount * (p[0] - blur);
}"""),
    "misaligned-vectors": limit("1048576", "f:4194308 f:4194308", """
__kernel void shift(__global const float* a, __global float* b) {
  int i = get_global_id(0);
  vstore4(vload4(i, a + 1) * 0.5f, i, b + 3);
}"""),
    "gamma-native": limit("2097152", "f:2097152", """
__kernel void gamma22(__global float* v) {
  int i = get_global_id(0);
  v[i] = native_powr(v[i] + 0.001f, 0.4545f);
}"""),
    "clamped-edges": limit("1024x1024", "f:1048576 f:1048576", """
__kernel void smooth(__global const float* a, __global float* b) {
  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
  int l = max(x - 1, 0), r = min(x + 1, w - 1), u = max(y - 1, 0), d = min(y + 1, h - 1);
  b[y * w + x] = 0.2f * (a[y * w + x] + a[y * w + l] + a[y * w + r] + a[u * w + x] + a[d * w + x]);
}"""),
    "tail-guard": limit("1048576", "f:1048576 f:1048576 int:1048571", """
__kernel void axpy(__global const float* x, __global float* y, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  y[i] += 2.5f * x[i];
}"""),
    "tree-reduction": limit("262144", "f:8388608 f:1024", """
__kernel void reduce(__global const float* x, __global float* part) {
  __local float s[256];
  int l = get_local_id(0);
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += x[k * get_global_size(0) + get_global_id(0)];
  s[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int h = 128; h > 0; h >>= 1) {
    if (l < h) s[l] += s[l + h];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) part[get_group_id(0)] = s[0];
}""", local="256"),
    "fixed-newton": limit("524288", "f:524288", """
__kernel void roots(__global float* v) {
  int i = get_global_id(0);
  float a = v[i] + 1.0f, x = a;
  for (int k = 0; k < 12; ++k) x = 0.5f * (x + a / x);
  v[i] = x;
}"""),
    "yuv": limit("2097152", "u:8388608 u:8388608", """
__kernel void to_yuv(__global const uchar4* rgb, __global uchar4* yuv) {
  int i = get_global_id(0);
  float4 c = convert_float4(rgb[i]);
  float y = 0.299f * c.x + 0.587f * c.y + 0.114f * c.z;
  yuv[i] = convert_uchar4_sat((float4)(y, 128 + 0.564f * (c.z - y), 128 + 0.713f * (c.x - y), 255));
}"""),
    "local-histogram": limit("65536", "u:4194304 i:256:1", """
__kernel void histogram(__global const uchar* p, __global int* bins) {
  __local int own[256];
  int l = get_local_id(0);
  own[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = get_global_id(0); k < 4194304; k += get_global_size(0)) atomic_inc(&own[p[k]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[l], own[l]);
}""", local="256"),
    "double-sums": limit("1048576", "d:1048576 d:1048576", """
__kernel void daxpy(__global const double* x, __global double* y) {
  int i = get_global_id(0);
  y[i] = 0.5 * x[i] + y[i];
}"""),
}
