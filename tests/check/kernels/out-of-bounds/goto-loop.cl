// SPDX-License-Identifier: Apache-2.0
// A loop that is made with goto runs once too often.
// kernel: goto_loop
// run: -g 4 -l 4 -a iota:12 -a zeros:4
kernel void goto_loop(global const int *in, global int *out) {
  int i = get_global_id(0), k = 0, s = 0;
again:
  s += in[i * 3 + k];  // wrong
  k++;
#ifdef RIGHT
  if (k < 3) goto again;
#else
  if (k <= 3) goto again;
#endif
  out[i] = s;
}
