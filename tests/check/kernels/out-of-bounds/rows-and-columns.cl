// SPDX-License-Identifier: Apache-2.0
// Rows and columns are confused in the index of a matrix that is not square.
// kernel: rows_and_columns
// run: -g 16,8 -l 4,4 -a iota:128 -a zeros:128 -a 16
kernel void rows_and_columns(global const float *in, global float *out, int width) {
  const int x = get_global_id(0), y = get_global_id(1);
#ifdef RIGHT
  out[y * width + x] = in[y * width + x];
#else
  out[y * width + x] = in[x * width + y];  // wrong
#endif
}
