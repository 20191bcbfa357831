// SPDX-License-Identifier: Apache-2.0
// A counter of type short goes on below zero.
// kernel: short_counter_wraps
// run: -g 1 -l 1 -a zeros:40000
kernel void short_counter_wraps(global char *out) {
#ifdef RIGHT
  int i = 0;
#else
  short i = 0;
#endif
  for (int n = 0; n < 40000; ++n, ++i) out[i] = 1;  // wrong
}
