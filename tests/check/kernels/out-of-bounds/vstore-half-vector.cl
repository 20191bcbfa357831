// SPDX-License-Identifier: Apache-2.0
// Halves of a vector are stored behind the last ones.
// kernel: vstore_half_vector
// run: -g 4 -l 4 -a iota:16 -a zeros:15
kernel void vstore_half_vector(global const float *in, global half *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  if (i == 3) return;
#endif
  vstore_half4(vload4(i, in), i, out);  // wrong
}
