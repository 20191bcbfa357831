// SPDX-License-Identifier: Apache-2.0
// A byte of those that are put together was never set.
// kernel: shift_out
// run: -g 4 -l 4 -a iota:16 -a zeros:16
kernel void shift_out(global const uint *in, global uint *out) {
  const int i = get_global_id(0);
  uchar bytes[4];  // also
  bytes[0] = in[i];
  bytes[1] = in[i];
  uint word = 0;
#ifdef RIGHT
  for (int k = 0; k < 2; ++k)
#else
  for (int k = 0; k < 3; ++k)
#endif
    word |= (uint)bytes[k] << 8 * k;  // also
  out[i] = word;  // wrong
}
