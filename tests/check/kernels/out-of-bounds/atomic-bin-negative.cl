// SPDX-License-Identifier: Apache-2.0
// A histogram whose bin is negative for the smallest values.
// kernel: atomic_bin_negative
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void atomic_bin_negative(global const int *in, global int *bins) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const int bin = max(in[i] - 2, 0);
#else
  const int bin = in[i] - 2;
#endif
  atomic_inc(&bins[bin]);  // wrong
}
