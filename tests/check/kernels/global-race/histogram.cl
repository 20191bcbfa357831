// SPDX-License-Identifier: Apache-2.0
// Bins in global memory are counted without atomic functions.
// kernel: histogram
// run: -g 64 -l 16 -a iota:64 -a zeros:8
void count(global uint *bins, uint value) {
#ifdef RIGHT
  atomic_inc(&bins[value % 8]);
#else
  ++bins[value % 8];  // wrong
#endif
}
kernel void histogram(global const uint *in, global uint *bins) {
  count(bins, in[get_global_id(0)]);
}
