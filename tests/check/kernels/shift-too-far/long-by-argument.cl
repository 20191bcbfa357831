// SPDX-License-Identifier: Apache-2.0
// A long is shifted by an argument that is as large as its width.
// kernel: long_by_argument
// run: -g 8 -l 8 -a iota:8 -a zeros:8 -a 64
kernel void long_by_argument(global const long *in, global long *out, int bits) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = bits < 64 ? in[i] << bits : 0;
#else
  out[i] = in[i] << bits;  // wrong
#endif
}
