// SPDX-License-Identifier: Apache-2.0
// One component of a vector has the smallest value, and its divisor is -1.
// kernel: vector
// run: -g 4 -l 4 -a zeros:4 -a -2147483648,5,6,7
kernel void vector(global int4 *out, int4 values) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = max(values, (int4)(-INT_MAX)) / (int4)(-1);
#else
  out[i] = values / (int4)(i - 4);  // wrong
#endif
}
