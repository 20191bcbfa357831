// SPDX-License-Identifier: Apache-2.0
// A padded tile whose padding was given to the wrong dimension.
// kernel: local_transpose_pad
// run: -g 8,8 -l 8,8 -a iota:64 -a zeros:64
kernel void local_transpose_pad(global const int *in, global int *out) {
#ifdef RIGHT
  local int tile[8 * 9];
#else
  local int tile[8 * 8];
#endif
  const int x = get_local_id(0), y = get_local_id(1);
  tile[y * 9 + x] = in[y * 8 + x];  // wrong
  barrier(CLK_LOCAL_MEM_FENCE);
  out[x * 8 + y] = tile[y * 9 + x];  // wrong
}
