// SPDX-License-Identifier: Apache-2.0
// Kernels of tests/tool/report-images.test.
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void copy(read_only image2d_t in, write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, nearest, at));
}

kernel void count(read_only image2d_t in, sampler_t sampler, global uint* out) {
  int i = get_global_id(0);
  out[i] = read_imageui(in, sampler, (int2)(i, 0)).x;
}

kernel void invert(read_write image2d_t picture) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagei(picture, at, ~read_imagei(picture, at));
}

kernel void plain(global int* a) { a[get_global_id(0)] = 1; }
