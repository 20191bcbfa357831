// SPDX-License-Identifier: Apache-2.0
// A row of a private matrix is read behind its end, where the next row begins.
// kernel: private_inner_row
// run: -g 4 -l 4 -a iota:4 -a zeros:4 -a 4
// bounds: a row of a matrix is not looked at
kernel void private_inner_row(global const float *in, global float *out, int columns) {
  const int i = get_global_id(0);
  float m[4][3];
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 3; ++c) m[r][c] = in[i] + r * c;
  float sum = 0.0f;
#ifdef RIGHT
  for (int k = 0; k < min(columns, 3); ++k) sum += m[0][k];
#else
  for (int k = 0; k < columns; ++k) sum += m[0][k];  // wrong
#endif
  out[i] = sum;
}
