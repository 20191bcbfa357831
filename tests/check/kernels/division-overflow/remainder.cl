// SPDX-License-Identifier: Apache-2.0
// The remainder of the smallest int by -1 is not defined either.
// kernel: remainder
// run: -g 8 -l 8 -a zeros:8 -a -2147483648
kernel void remainder(global int *out, int value) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = value % (i + 2);
#else
  out[i] = value % (i - 4 == 0 ? -7 : i - 5 == 0 ? -1 : 3);  // wrong
#endif
}
