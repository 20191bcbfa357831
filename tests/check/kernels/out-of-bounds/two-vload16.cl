// SPDX-License-Identifier: Apache-2.0
// A load of 16 elements begins inside of the buffer and ends outside.
// kernel: two_vload16
// run: -g 4 -l 4 -a iota:56 -a zeros:4
kernel void two_vload16(global const uchar *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const uchar16 v = vload16(min(i, 2), in);
#else
  const uchar16 v = vload16(i, in);  // wrong
#endif
  out[i] = v.s0 + v.sf;
}
