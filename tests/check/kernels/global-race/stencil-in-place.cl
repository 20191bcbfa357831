// SPDX-License-Identifier: Apache-2.0
// A smoothing in two dimensions reads what neighbours write.
// kernel: stencil_in_place
// run: -g 8,8 -l 4,4 -a iota:64 -a zeros:64
kernel void stencil_in_place(global float *image, global float *out) {
  const int x = get_global_id(0), y = get_global_id(1), at = y * 8 + x;
  if (x == 0 || y == 0 || x == 7 || y == 7) return;
  const float mean = 0.25f * (image[at - 1] + image[at + 1] + image[at - 8] + image[at + 8]);  // wrong
#ifdef RIGHT
  out[at] = mean;
#else
  image[at] = mean;  // wrong
#endif
}
