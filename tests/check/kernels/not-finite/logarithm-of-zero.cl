// SPDX-License-Identifier: Apache-2.0
// An entropy takes the logarithm of zero.
// kernel: logarithm_of_zero
// run: -g 8 -l 8 -a iota:8 -a zeros:8
// check: all,not-finite
float entropy(float p) {
#ifdef RIGHT
  return p > 0.0f ? -p * log2(p) : 0.0f;
#else
  return -p * log2(p);  // wrong
#endif
}
kernel void logarithm_of_zero(global const float *in, global float *out) {
  const int i = get_global_id(0);
  out[i] = entropy(in[i] / 8.0f);
}
