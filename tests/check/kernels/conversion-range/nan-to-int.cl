// SPDX-License-Identifier: Apache-2.0
// The square root of a negative number is made an index.
// kernel: nan_to_int
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void nan_to_int(global const float *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = (int)sqrt(max(in[i] - 2.0f, 0.0f));
#else
  out[i] = (int)sqrt(in[i] - 2.0f);  // wrong
#endif
}
