// SPDX-License-Identifier: Apache-2.0
// A divisor is not set for all values.
// kernel: divisor
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void divisor(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  int by = 3;
#else
  int by;  // also
#endif
  if (in[i] < 4) by = 2;
  out[i] = 100 / by;  // wrong
}
