// SPDX-License-Identifier: Apache-2.0
// A stencil in two dimensions has no case for the first and last row.
// kernel: stencil_edge
// run: -g 16,16 -l 8,8 -a iota:256 -a zeros:256 -a 16 -a 16
kernel void stencil_edge(global const float *in, global float *out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
#ifdef RIGHT
  const float above = y > 0 ? in[(y - 1) * width + x] : 0.0f;
  const float below = y + 1 < height ? in[(y + 1) * width + x] : 0.0f;
#else
  const float above = in[(y - 1) * width + x];  // wrong
  const float below = in[(y + 1) * width + x];  // wrong
#endif
  out[y * width + x] = above + below;
}
