// SPDX-License-Identifier: Apache-2.0
// The rows of a private matrix are exceeded in a loop with two indices.
// kernel: private_matrix
// run: -g 4 -l 4 -a iota:4 -a zeros:4
// bounds: a private variable that is optimised away
kernel void private_matrix(global const float *in, global float *out) {
  const int i = get_global_id(0);
  float m[3][3];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) m[r][c] = in[i] + r * c;
  float trace = 0.0f;
#ifdef RIGHT
  for (int k = 0; k < 3; ++k) trace += m[k][k];
#else
  for (int k = 0; k < 4; ++k) trace += m[k][k];  // wrong
#endif
  out[i] = trace;
}
