// SPDX-License-Identifier: Apache-2.0
// This file holds kernels whose arithmetic is wider than what it is for, and transposes of short rows.

// Blending of images by coverage (Porter-Duff's over), as in window systems.
kernel void blend(global const uchar *top, global const uchar *coverage, global uchar *picture) {
  size_t i = get_global_id(0);
  ushort a = coverage[i];
  picture[i] = (uchar)((ushort)(top[i] * a + picture[i] * (ushort)(255 - a) + 128) >> 8);
}

// Half-pel interpolation of motion compensation, as in H.264.
kernel void halfPel(global const uchar *left, global const uchar *right, global uchar *between) {
  size_t i = get_global_id(0);
  between[i] = (uchar)((left[i] + right[i] + 1) >> 1);
}

// A window over samples in Q15, as in speech codecs.
kernel void window(global const short *samples, global const short *weights, global short *out) {
  size_t i = get_global_id(0);
  out[i] = (short)((samples[i] * weights[i] + (1 << 14)) >> 15);
}

// A sum of products keeps its full width.
kernel void energy(global const short *samples, global int *out, int n) {
  size_t i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += samples[k * 4096 + i] * samples[k * 4096 + i];
  out[i] = sum;
}

#define TRANSPOSE(name, type, size)                                                                            \
  kernel __attribute__((reqd_work_group_size(size, 16, 1))) void name(global const type *in, global type *out, \
                                                                      int width, int height) {                \
    local type block[size][17];                                                                                \
    int x = get_global_id(0), y = get_global_id(1);                                                            \
    block[get_local_id(0)][get_local_id(1)] = in[y * width + x];                                               \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
    out[x * height + y] = block[get_local_id(0)][get_local_id(1)];                                             \
  }
TRANSPOSE(line, float, 16)
TRANSPOSE(doubles, double, 16)
TRANSPOSE(longs, long, 8)
TRANSPOSE(floats32, float, 32)
