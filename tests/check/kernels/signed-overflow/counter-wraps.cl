// SPDX-License-Identifier: Apache-2.0
// A counter passes the largest long.
// kernel: counter_wraps
// run: -g 2 -l 2 -a zeros:2
// check: all,overflow
kernel void counter_wraps(global long *out) {
  const int i = get_global_id(0);
  long count = LONG_MAX - 1;
#ifdef RIGHT
  count -= 4;
#endif
  for (int k = 0; k < 3; ++k)
    ++count;  // wrong
  out[i] = count;
}
