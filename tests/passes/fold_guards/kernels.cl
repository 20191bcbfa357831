// SPDX-License-Identifier: Apache-2.0
// Guards of kernels from different fields: which of them become loop bounds.
// RUN: %clarity compile %s --report --local 256 --processor x86-64-v4 2>&1 | FileCheck %s

// CHECK-LABEL: kernel 'brent_kung'
// CHECK: guard folded into the loop bounds
// CHECK: guard folded into the loop bounds
// Partial sums of 256 numbers by Brent and Kung's scan: work-item k combines the ends of the k-th pair of runs.
__kernel void brent_kung(__global const float* in, __global float* out) {
  __local float sums[512];
  int lid = get_local_id(0), first = 512 * get_group_id(0);
  sums[lid] = in[first + lid];
  sums[lid + 256] = in[first + lid + 256];
  for (int stride = 1; stride <= 256; stride *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int index = (lid + 1) * stride * 2 - 1;
    if (index < 512) sums[index] += sums[index - stride];
  }
  for (int stride = 128; stride > 0; stride /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int index = (lid + 1) * stride * 2 - 1;
    if (index + stride < 512) sums[index + stride] += sums[index];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[first + lid] = sums[lid];
  out[first + lid + 256] = sums[lid + 256];
}

// CHECK-LABEL: kernel 'downsample'
// CHECK-NEXT: {{.*}}guard folded into the loop bounds
// CHECK-NOT: under a mask
// Half the size: the average of four pixels.
__kernel void downsample(__global const float* in, __global float* out, int width, int height, int pitch) {
  int x = get_global_id(0), y = get_global_id(1);
  if (2 * x + 1 < width && 2 * y + 1 < height) {
    __global const float* p = in + 2 * y * width + 2 * x;
    out[y * pitch + x] = 0.25f * (p[0] + p[1] + p[width] + p[width + 1]);
  }
}

// CHECK-LABEL: kernel 'decimate'
// CHECK-NEXT: {{.*}}guard folded into the loop bounds
// CHECK-NOT: under a mask
// A filter whose output is wanted for every factor-th sample only.
__kernel void decimate(__global const float* in, __constant float* weights, __global float* out, int length, int factor,
                       int taps) {
  int i = get_global_id(0);
  if (i * factor + taps <= length) {
    float sum = 0;
    for (int k = 0; k < taps; ++k) sum += in[i * factor + k] * weights[k];
    out[i] = sum;
  }
}

// CHECK-LABEL: kernel 'butterflies'
// CHECK-NEXT: {{.*}}guard folded into the loop bounds
// CHECK-NOT: under a mask
// Radix-2 butterflies of one stage: half as many as numbers.
__kernel void butterflies(__global float2* data, int count, int half_span) {
  int i = get_global_id(0);
  if (2 * i < count) {
    int at = (i / half_span) * 2 * half_span + i % half_span;
    float2 a = data[at], b = data[at + half_span];
    data[at] = a + b;
    data[at + half_span] = a - b;
  }
}

// CHECK-LABEL: kernel 'odd_even_sort'
// CHECK-NEXT: {{.*}}guard folded into the loop bounds
// Odd-even transposition: neighbours are exchanged where the first of a pair is even, then where it is odd.
__kernel void odd_even_sort(__global int* keys, int count, int phase) {
  int i = get_global_id(0);
  if ((i & 1) == phase && i + 1 < count) {
    int a = keys[i], b = keys[i + 1];
    keys[i] = min(a, b);
    keys[i + 1] = max(a, b);
  }
}

// CHECK-LABEL: kernel 'red_black'
// CHECK: guard folded into the loop bounds
// Red-black relaxation of a rod: every second point from its neighbours.
__kernel void red_black(__global float* u, __global const float* f, int count, int colour) {
  int i = get_global_id(0);
  if ((i + colour) % 2 == 0 && i > 0 && i < count - 1) u[i] = 0.5f * (u[i - 1] + u[i + 1] + f[i]);
}

// CHECK-LABEL: kernel 'lift'
// CHECK-NEXT: {{.*}}guard folded into the loop bounds
// Wavelet lifting: the details are what neighbours do not predict.
__kernel void lift(__global float* s, int count) {
  int i = get_global_id(0);
  if (i % 2 == 1 && i + 1 < count) s[i] -= 0.5f * (s[i - 1] + s[i + 1]);
}

// CHECK-LABEL: kernel 'pair_sums'
// CHECK: guard folded into the loop bounds
// A sum by pairs: the last of each run adds the end of the run before it.
__kernel void pair_sums(__global const float* in, __global float* out) {
  __local float sums[256];
  uint lid = get_local_id(0), at = get_global_id(0);
  sums[lid] = in[at];
  for (uint stride = 1; stride < 256; stride *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((lid + 1) % (2 * stride) == 0) sums[lid] += sums[lid - stride];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = sums[lid];
}

// CHECK-LABEL: kernel 'fours'
// CHECK: guard
// Reduction with interleaved addresses, in fours.
__kernel void fours(__global const uint* in, __global uint* out) {
  __local uint sums[256];
  uint lid = get_local_id(0);
  sums[lid] = in[get_global_id(0)];
  for (uint stride = 1; stride < 256; stride *= 4) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at = 4 * stride * lid;
    if (at + 3 * stride < 256) sums[at] += sums[at + stride] + sums[at + 2 * stride] + sums[at + 3 * stride];
  }
  if (lid == 0) out[get_group_id(0)] = sums[0];
}

// CHECK-LABEL: kernel 'counts'
// CHECK-NEXT: {{.*}}guard folded into the loop bounds
// CHECK-NEXT: one work-item at a time, as too few stand side by side
// One work-item counts in a private array, whose lifetime begins ahead of the guard.
__kernel void counts(__global const int* in, __global int* out, int n) {
  int found[16];
  if (get_local_id(0) > 0) return;
  for (int i = 0; i < 16; ++i) found[i] = 0;
  for (int i = 0; i < n; ++i) found[in[i] & 15]++;
  for (int i = 0; i < 16; ++i) out[i + get_group_id(0) * 16] = found[i];
}
