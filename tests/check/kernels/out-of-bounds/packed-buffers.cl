// SPDX-License-Identifier: Apache-2.0
// The second half of a pair of arrays is sought behind the first, but lies in a buffer of its own.
// kernel: packed_buffers
// run: -g 64 -l 16 -a iota:64 -a iota:64 -a zeros:64 -a 64
kernel void packed_buffers(global const int *a, global const int *b, global int *sum, int n) {
  const int i = get_global_id(0);
#ifdef RIGHT
  sum[i] = a[i] + b[i];
#else
  sum[i] = a[i] + a[n + i];  // wrong
#endif
}
