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
  out[i] = (short)(((samples[i] * weights[i] >> 14) + 1) >> 1);
}

// A sum of products keeps its full width.
kernel void energy(global const short *samples, global int *out, int n) {
  size_t i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += samples[k * 4096 + i] * samples[k * 4096 + i];
  out[i] = sum;
}

// Transposes of matrices whose work-groups have short rows, of one cache line or two.
#define TRANSPOSE(name, type, size)                                                                            \
  kernel __attribute__((reqd_work_group_size(size, 16, 1))) void name(global const type *in, global type *out, \
                                                                      int width, int height) {                \
    local int phase; /* with local memory a work-group runs by itself */                                       \
    int x = get_global_id(0), y = get_global_id(1);                                                            \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
    out[y * width + x] = in[x * height + y];                                                                   \
  }
TRANSPOSE(floats16, float, 16)
TRANSPOSE(shorts32, short, 32)
TRANSPOSE(doubles16, double, 16)
TRANSPOSE(floats32, float, 32)
