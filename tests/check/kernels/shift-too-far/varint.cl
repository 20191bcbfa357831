// SPDX-License-Identifier: Apache-2.0
// Bytes are put together into an uint, and there are more of them than fit.
// kernel: varint
// run: -g 4 -l 4 -a iota:8 -a zeros:4
kernel void varint(global const uchar *in, global uint *out) {
  uint value = 0;
#ifdef RIGHT
  for (int k = 0; k < 4; ++k)
#else
  for (int k = 0; k < 5; ++k)
#endif
    value |= (uint)in[k] << (8 * k);  // wrong
  out[get_global_id(0)] = value;
}
