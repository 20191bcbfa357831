// SPDX-License-Identifier: Apache-2.0
// An unsigned index less one wraps around to the largest number.
// kernel: unsigned_wrap
// run: -g 16 -l 4 -a iota:16 -a zeros:16
kernel void unsigned_wrap(global const uchar *in, global int *out) {
  const uint i = get_global_id(0);
#ifdef RIGHT
  out[i] = i == 0 ? 0 : in[i - 1u];
#else
  out[i] = in[i - 1u];  // wrong
#endif
}
