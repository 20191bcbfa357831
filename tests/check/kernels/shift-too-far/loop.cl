// SPDX-License-Identifier: Apache-2.0
// A loop over bits runs one round too long.
// kernel: loop
// run: -g 4 -l 4 -a iota:4 -a zeros:4
kernel void loop(global const ulong *in, global uint *out) {
  const int i = get_global_id(0);
  uint set = 0;
#ifdef RIGHT
  for (uint k = 0; k < 64; ++k)
#else
  for (uint k = 0; k <= 64; ++k)
#endif
    set += (uint)(in[i] >> k & 1);  // wrong
  out[i] = set;
}
