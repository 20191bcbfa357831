// SPDX-License-Identifier: Apache-2.0
// The loop over a pointer runs to the end with it.
// kernel: pointer_loop
// run: -g 1 -l 1 -a iota:100 -a zeros:1 -a 100
kernel void pointer_loop(global const int *in, global int *sum, int n) {
  int total = 0;
#ifdef RIGHT
  for (global const int *p = in; p < in + n; ++p) total += *p;
#else
  for (global const int *p = in; p <= in + n; ++p) total += *p;  // wrong
#endif
  *sum = total;
}
