// SPDX-License-Identifier: Apache-2.0
// Rows overlap because the index is made with the wrong width.
// kernel: wrong_index
// run: -g 16,4 -l 4,4 -a zeros:64 -a 16
kernel void wrong_index(global int *out, int width) {
  const int x = get_global_id(0), y = get_global_id(1);
#ifdef RIGHT
  out[y * width + x] = x;
#else
  out[y * (width - 4) + x] = x;  // wrong
#endif
}
