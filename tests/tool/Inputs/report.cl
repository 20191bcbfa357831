// SPDX-License-Identifier: Apache-2.0
// This file holds kernels of which the report has different things to say.
typedef struct { float x, y, z, mass; } Body;
typedef struct { float x, y; int tag; } Odd;

kernel void matmul(global const float *a, global const float *b, global float *c, int n) {
  int col = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

kernel void otherOrder(global const float *a, global const float *b, global float *c, int n) {
  int row = get_global_id(0), col = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

kernel void transpose(global const float *in, global float *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * height + y] = in[y * width + x];
}

kernel void strides(global const float4 *v, global float *out, global float *back, global Odd *odd, int n) {
  int i = get_global_id(0);
  out[i] = v[i].x;
  back[n - 1 - i] = 1;
  odd[i].tag = 2;
  odd[0].tag = i;
}

kernel void members(global const Body *bodies, global const int *index, global float4 *v, global float *energy, int n) {
  int i = get_global_id(0);
  Body b = bodies[i];
  energy[i] = b.mass * (b.x + b.y + b.z);
  v[i] = v[index[i]];
  energy[n + i] = b.mass;
}

kernel void reasons(global const int *a, global int *out, int n) {
  int i = get_global_id(0);
  out[i] = a[a[i]]
         + a[i * 20]
         + a[i % 7]
         + a[i ^ 5]
         + a[min(i, n)]
         + a[i * n];
}

kernel void parting(global const float *in, global float *out, global const uchar *bytes, global uchar *to, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    float x = in[i];
    if (x > 3)
      out[i] = 5 / x;
    for (int k = 0; k < x; ++k) x -= 1;
    if (i & 1)
      to[i] = bytes[i];
  }
}

kernel void inside(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  float x = in[i];
  while (x > 3 && n > 2) {
    x *= in[i] * 0.5f;
    out[i] = x;
    if (x > 100) break;
  }
}

kernel void spmv(global const int *first, global const int *column, global const float *value, global const float *x,
                 global float *y, int rows) {
  int row = get_global_id(0);
  if (row >= rows) return;
  float sum = 0;
  for (int j = first[row]; j < first[row + 1]; ++j)
    sum += value[j] * x[column[j]];
  y[row] = sum;
}

kernel void notVectors(global int *a, global long *w, volatile global int *flag) {
  int i = get_global_id(0);
  atomic_inc(&a[w[i]]);
  w[i] = w[i] / (i + 1);
  a[i] = a[i] / (i + 2);
  flag[i] = 1;
  printf("%d\n", i);
}

kernel void privates(global const int *in, global int *out) {
  int i = get_global_id(0);
  int window[40];
  for (int k = 0; k < 40; ++k) window[k] = in[k] + i;
  out[i] = window[out[i]];
}

kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void tree(global const float *in, global float *out, local float *part) {
  int lid = get_local_id(0);
  float mine = in[get_global_id(0)];
  float table[16] = {mine, in[lid]};
  part[lid] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int size = 32; size > 0; size /= 2) {
    if (lid < size) part[lid] += part[lid + size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = part[0] * mine + table[lid & 1];
}

kernel void anySize(global const int *in, global int *out, int n) {
  local int sum;
  int mine = 0;
  for (int i = 0; i < n; ++i) {
    mine += in[i + get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = mine;
}

kernel void rowSums(global const float *a, global float *sums, int n, global int *count) {
  int row = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k];
  sums[row] = sum;
  atomic_add(count, row);
}

__kernel void gridStride(__global const float *a, __global float *sums, int n) {
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    sum += a[i];
  sums[get_global_id(0)] = sum;
}

__kernel void vectors(__global const float4 *a, __global float4 *out) {
  out[get_global_id(0)] = a[get_global_id(0)] * 2;
}
