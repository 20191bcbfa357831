// SPDX-License-Identifier: Apache-2.0
// The smallest int is divided by -1.
// kernel: least_int
// run: -g 8 -l 8 -a zeros:8 -a -1
kernel void least_int(global int *out, int divisor) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = (INT_MIN + 1 + i) / divisor;
#else
  out[i] = (INT_MIN + i) / divisor;  // wrong
#endif
}
