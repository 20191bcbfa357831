// SPDX-License-Identifier: Apache-2.0
// The difference of two positions is 0 where they meet.
// kernel: after_difference
// run: -g 8 -l 8 -a iota:8 -a iota:8 -a zeros:8
short slope(short rise, short run) {
#ifdef RIGHT
  return run == 0 ? 0 : rise / run;
#else
  return rise / run;  // wrong
#endif
}
kernel void after_difference(global const short *a, global const short *b, global short *out) {
  const int i = get_global_id(0);
  out[i] = slope(100, a[i] - b[7 - i] + 1);
}
