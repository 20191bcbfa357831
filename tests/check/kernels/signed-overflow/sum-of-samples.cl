// SPDX-License-Identifier: Apache-2.0
// Large samples are summed in an int by a helper.
// kernel: sum_of_samples
// run: -g 4 -l 4 -a iota:4 -a zeros:4
// check: all,overflow
int sum(global const int *in, int n) {
#ifdef RIGHT
  uint total = 0;
#else
  int total = 0;
#endif
  for (int k = 0; k < n; ++k)
    total += in[k] * 500000000;  // wrong
  return total;
}
kernel void sum_of_samples(global const int *in, global int *out) {
#ifdef RIGHT
  out[get_global_id(0)] = sum(in, 3);
#else
  out[get_global_id(0)] = sum(in, 4);
#endif
}
