// SPDX-License-Identifier: Apache-2.0
// Kernels whose arguments probe.py finds, and some that it must leave out.
#include "offset.h"

typedef struct {
  float a, b;
} Pair;

// The buffer `in` is larger than the range; the host program sets FACTOR.
__kernel void shifted(__global const float* in, __global float* out, int n) {
  const int i = get_global_id(0);
  if (i < n) out[i] = in[3 * i + BEHIND] * FACTOR;
}

__kernel __attribute__((reqd_work_group_size(8, 4, 1))) void tile(__global const int* in, __global int* out,
                                                                  __local int* copy, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1), local_id = get_local_id(1) * 8 + get_local_id(0);
  copy[local_id] = in[y * width + x] + height;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * width + x] = copy[31 - local_id];
}

// An index beside the buffer in all guesses.
__kernel void ahead(__global float* out) { out[-1 - (int)get_global_id(0)] = 1; }

// No results.
__kernel void nothing(__global float* out, int n) {
  if (n < 0) out[get_global_id(0)] = n;
}

// The order of the work-items decides. The loop gives a second thread the time to take part.
__kernel void racing(__global uint* out, __global uint* count) {
  uint state = get_global_id(0);
  for (int i = 0; i < 3000; ++i) state = state * 1664525 + 1013904223 + (state >> 7);
  out[get_global_id(0)] = atomic_inc(count) * 31 + (state & 1);
}

// Neighbours write the same element.
__kernel void overlapping(__global const float* in, __global float* out) {
  const int i = get_global_id(0);
  out[i] = in[i];
  out[i + 1] = in[i] + 1;
}

__kernel void by_value(__global float* out, Pair pair) { out[get_global_id(0)] = pair.a; }

__kernel void picture(read_only image2d_t in, __global float* out) { out[0] = get_image_width(in); }
