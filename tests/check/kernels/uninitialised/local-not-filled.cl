// SPDX-License-Identifier: Apache-2.0
// The edge of a tile in local memory is never loaded.
// kernel: local_not_filled
// run: -g 32 -l 16 -a iota:32 -a zeros:32
kernel void local_not_filled(global const int *in, global int *out) {
  local int tile[18];
  const int l = get_local_id(0), i = get_global_id(0);
  tile[l + 1] = in[i];
  if (l == 0) tile[0] = i > 0 ? in[i - 1] : 0;
#ifdef RIGHT
  if (l == 15) tile[17] = i < 31 ? in[i + 1] : 0;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[l] + tile[l + 1] + tile[l + 2];  // wrong
}
