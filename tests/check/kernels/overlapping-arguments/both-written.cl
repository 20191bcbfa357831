// SPDX-License-Identifier: Apache-2.0
// Two results go to one buffer.
// kernel: both_written
// run: -g 4 -l 4 -a iota:8 -a zeros:8 -a same:1
kernel void both_written(global const int *in, global int *restrict even, global int *restrict odd) {
  const int i = get_global_id(0);
#ifdef RIGHT
  even[i] = in[2 * i];
  odd[4 + i] = in[2 * i + 1];
#else
  even[i] = in[2 * i];  // wrong
  odd[i] = in[2 * i + 1];  // wrong
#endif
}
