// SPDX-License-Identifier: Apache-2.0
// The largest value has no bin.
// kernel: histogram_bin
// run: -g 64 -l 16 -a iota:64 -a zeros:16
kernel void histogram_bin(global const uint *in, global uint *bins) {
  const int i = get_global_id(0);
#ifdef RIGHT
  atomic_inc(&bins[in[i] / 4]);
#else
  atomic_inc(&bins[(in[i] + 3) / 4]);  // wrong
#endif
}
