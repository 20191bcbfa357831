// SPDX-License-Identifier: Apache-2.0
// The smallest int is negated.
// kernel: absolute_by_hand
// run: -g 4 -l 4 -a zeros:4
// check: all,overflow
kernel void absolute_by_hand(global int *out) {
  const int i = get_global_id(0);
  const int x = INT_MIN + i;
#ifdef RIGHT
  out[i] = abs(x);
#else
  out[i] = x < 0 ? -x : x;  // wrong
#endif
}
