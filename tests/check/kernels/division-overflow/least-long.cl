// SPDX-License-Identifier: Apache-2.0
// The smallest long is negated by a division.
// kernel: least_long
// run: -g 4 -l 4 -a zeros:4 -a -9223372036854775808
long negated(long value, long sign) {
#ifdef RIGHT
  if (value == LONG_MIN && sign == -1) return LONG_MAX;
#endif
  return value / sign;  // wrong
}
kernel void least_long(global long *out, long value) {
  out[get_global_id(0)] = negated(value, get_global_id(0) == 2 ? -1 : 1);
}
