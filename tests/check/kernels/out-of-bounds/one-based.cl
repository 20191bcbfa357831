// SPDX-License-Identifier: Apache-2.0
// A pointer one element ahead serves as an array that begins at 1, and 0 is used all the same.
// kernel: one_based
// run: -g 16 -l 4 -a iota:16 -a zeros:16
kernel void one_based(global const double *in, global double *out) {
  const int i = get_global_id(0);
  global const double *from_one = in - 1;
#ifdef RIGHT
  out[i] = from_one[i + 1];
#else
  out[i] = from_one[i];  // wrong
#endif
}
