// SPDX-License-Identifier: Apache-2.0
// A filter whose guard looks at columns and forgets the last row.
// kernel: sobel_2d_rows
// run: -g 16,8 -l 8,4 -a iota:128 -a zeros:128 -a 16 -a 8
kernel void sobel_2d_rows(global const float *in, global float *out, int w, int h) {
  const int x = get_global_id(0), y = get_global_id(1);
#ifdef RIGHT
  if (x < 1 || x >= w - 1 || y < 1 || y >= h - 1) return;
#else
  if (x < 1 || x >= w - 1 || y < 1) return;
#endif
  float s = 0.0f;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      s += in[(y + dy) * w + x + dx];  // wrong
  out[y * w + x] = s / 9.0f;
}
