# SPDX-License-Identifier: Apache-2.0
"""More pairs and kernels at their limit, as in kernel_pairs.py: causes that show in other lines than their own, and
structures and rows that are read as a whole.
"""
from kernel_pairs import limit, pair

PAIRS = {
    "hash-probe": pair("wherever keys[get_global_id(0)] says", "1048576",
                       "i:1048576:1000000000 i:4194304:1000000000 i:1048576", """
__kernel void probe(__global const uint* keys, __global const uint* table, __global uint* found) {
  uint key = keys[get_global_id(0)];
  uint slot = (key * 2654435761u) >> 10;
  uint at = table[slot];  // cause
  found[get_global_id(0)] = at == key ? slot : at;
}""", """
__kernel void probe(__global const uint* keys, __global const uint* table, __global uint* found) {
  uint key = keys[get_global_id(0)];
  uint slot = get_global_id(0);
  uint at = table[slot];
  found[get_global_id(0)] = at == key ? slot : at;
}""", count=10),
    "branch-on-type": pair("different branches", "524288", "i:524288:3 f:524288", """
float sphere(float x) { float r = x; for (int i = 0; i < 24; i++) r = native_sqrt(r * r + 0.3f) - 0.1f; return r; }
float box(float x) {
  float r = x;
  for (int i = 0; i < 24; i++) r = fabs(r - 0.7f) * 1.1f + 1.0f / (r + 2.0f);
  return r;
}
float torus(float x) { float r = x; for (int i = 0; i < 24; i++) r = native_sin(r) * 0.9f + 0.2f; return r; }
__kernel void distances(__global const int* type, __global float* d) {
  size_t id = get_global_id(0);
  int t = type[id];
  float x = d[id];
  if (t == 0) {  // cause
    x = sphere(x);
  } else if (t == 1) {
    x = box(x);
  } else {
    x = torus(x);
  }
  d[id] = x;
}""", """
float sphere(float x) { float r = x; for (int i = 0; i < 24; i++) r = native_sqrt(r * r + 0.3f) - 0.1f; return r; }
float box(float x) {
  float r = x;
  for (int i = 0; i < 24; i++) r = fabs(r - 0.7f) * 1.1f + 1.0f / (r + 2.0f);
  return r;
}
float torus(float x) { float r = x; for (int i = 0; i < 24; i++) r = native_sin(r) * 0.9f + 0.2f; return r; }
__kernel void distances(__global const int* type, __global float* d) {
  size_t id = get_global_id(0);
  int t = type[id];
  float x = d[id];
  if (t == 0) {
    x = sphere(x);
  } else if (t == 1) {
    x = box(x);
  } else {
    x = torus(x);
  }
  d[id] = x;
}""", count=10, mended_arguments="s:524288:3 f:524288"),
    "kept-sums": pair("across a barrier", "16384", "f:16384 f:16384", """
__kernel void tile_dot(__global const float* a, __global float* out) {
  __local float tile[256];
  float acc[48];  // cause
  int l = get_local_id(0);
  for (int k = 0; k < 48; k++) acc[k] = a[(get_global_id(0) + k) & 16383];
  for (int t = 0; t < 32; t++) {
    tile[l] = a[(t * 256 + l) & 16383];
    barrier(CLK_LOCAL_MEM_FENCE);
    float w = tile[255 - l];
    for (int k = 0; k < 48; k++) acc[k] = fma(w, acc[k], 0.5f);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float s = 0;
  for (int k = 0; k < 48; k++) s += acc[k];
  out[get_global_id(0)] = s;
}""", """
__kernel void tile_dot(__global const float* a, __global float* out) {
  float acc[48];
  int l = get_local_id(0);
  for (int k = 0; k < 48; k++) acc[k] = a[(get_global_id(0) + k) & 16383];
  for (int t = 0; t < 32; t++) {
    float w = a[(t * 256 + 255 - l) & 16383];
    for (int k = 0; k < 48; k++) acc[k] = fma(w, acc[k], 0.5f);
  }
  float s = 0;
  for (int k = 0; k < 48; k++) s += acc[k];
  out[get_global_id(0)] = s;
}""", local="256", count=12),
    "mean-by-all": pair("compute the same", "8192", "f:8192 f:8192", """
__kernel void centre(__global const float* x, __global float* y) {
  float mean = 0;
  for (int k = 0; k < 8192; k++) {  // cause
    mean += x[k] * x[k];
  }
  y[get_global_id(0)] = x[get_global_id(0)] - mean / 8192;
}""", """
__kernel void centre(__global const float* x, __global float* y) {
  float mean = x[0];
  y[get_global_id(0)] = x[get_global_id(0)] - mean / 8192;
}""", count=20),
    "sums-by-all": pair("compute the same", "65536", "f:2048 f:65536", """
float total(__global const float* w, int n) {
  float t = 0;
  for (int k = 0; k < n; ++k)  // cause
    t += w[k];
  return t;
}
__kernel void normalise(__global const float* w, __global float* y) {
  int i = get_global_id(0);
  y[i] = y[i] / total(w, 2048);
}""", """
__kernel void normalise(__global const float* w, __global float* y) {
  int i = get_global_id(0);
  y[i] = y[i] / w[0];
}""", count=20),
    "joined-files": pair("double", "262144", "f:262144", """
#line 1 "common.cl"
#define RATE 0.5f
float damped(float v) { return v * RATE; }
#line 1 "decay.cl"
// what is computed

__kernel void decay(__global float* y) {
  int i = get_global_id(0);
  float v = y[i];
  for (int k = 0; k < 200; ++k)
    v = damped(v) * 1.9 + 0.001;  // cause
  y[i] = v;
}""", """
#line 1 "common.cl"
#define RATE 0.5f
float damped(float v) { return v * RATE; }
#line 1 "decay.cl"
// what is computed

__kernel void decay(__global float* y) {
  int i = get_global_id(0);
  float v = y[i];
  for (int k = 0; k < 200; ++k)
    v = damped(v) * 1.9f + 0.001f;
  y[i] = v;
}""", count=8),
    "double-casts": pair("double", "524288", "f:524288", """
__kernel void logistic(__global float* values) {
  int id = get_global_id(0);
  float v = values[id];
  for (int k = 0; k < 200; k++)
    v = (float)((double)v * 3.5f * (1 - (double)v) + 0.1f);  // cause
  values[id] = v;
}""", """
__kernel void logistic(__global float* values) {
  int id = get_global_id(0);
  float v = values[id];
  for (int k = 0; k < 200; k++)
    v = v * 3.5f * (1 - v) + 0.1f;
  values[id] = v;
}"""),
}

AT_LIMIT = {
    "pointers-to-structures": limit("524288", "f:4194304 f:524288", """
typedef struct { float4 pos; float4 vel; } Body;
float kinetic(const __global Body* b) { return dot(b->vel, b->vel) + b->pos.w; }
__kernel void energies(__global const Body* bodies, __global float* e) {
  size_t i = get_global_id(0);
  e[i] = kinetic(bodies + i) + bodies[i].pos.x;
}"""),
    "rows-with-edges": limit("1024x1024", "f:1048576 f:1048576", """
__kernel void box(__global const float* in, __global float* out) {
  __local float t[16][18];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  int w = get_global_size(0);
  t[ly][lx + 1] = in[y * w + x];
  if (lx == 0) t[ly][0] = in[y * w + max(x - 1, 0)];
  if (lx == 15) t[ly][17] = in[y * w + min(x + 1, w - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * w + x] = (t[ly][lx] + t[ly][lx + 1] + t[ly][lx + 2]) * 0.3333f;
}""", local="16x16"),
    "pixels-of-members": limit("1048576", "f:4194304 f:4194304", """
typedef struct { float r, g, b, a; } Pixel;
__kernel void premultiply(__global const Pixel* in, __global Pixel* out) {
  size_t i = get_global_id(0);
  Pixel p = in[i];
  p.r *= p.a; p.g *= p.a; p.b *= p.a;
  out[i] = p;
}"""),
}
