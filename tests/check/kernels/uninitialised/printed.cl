// SPDX-License-Identifier: Apache-2.0
// A value that was never set is printed.
// kernel: printed
// run: -g 1 -l 1 -a zeros:1
kernel void printed(global int *out) {
#ifdef RIGHT
  int best = 0;
#else
  int best;  // also
#endif
  if (out[0] > 0) best = 1;
  printf("%d\n", best);  // wrong
}
