// SPDX-License-Identifier: Apache-2.0
// One component of a vector of bytes is zero.
// kernel: char4_vector
// run: -g 4 -l 4 -a zeros:16 -a zeros:16
kernel void char4_vector(global const uchar4 *in, global uchar4 *out) {
  const int i = get_global_id(0);
  const uchar4 d = in[i] + (uchar4)(1, 2, 0, 4);
#ifdef RIGHT
  out[i] = (uchar4)(200) / max(d, (uchar4)(1));
#else
  out[i] = (uchar4)(200) / d;  // wrong
#endif
}
