// SPDX-License-Identifier: Apache-2.0
// A variable of a loop's body is set in some iterations only.
// kernel: per_iteration
// run: -g 4 -l 4 -a iota:16 -a zeros:4
kernel void per_iteration(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < 4; ++k) {
#ifdef RIGHT
    int step = 1;
#else
    int step;  // also
#endif
    if ((in[4 * i + k] & 1) == 0) step = 2;
    sum += step;
  }
  out[i] = sum;  // wrong
}
