// SPDX-License-Identifier: Apache-2.0
// A local tile has no row for the halo that is written below the last one.
// kernel: local_array_row
// run: -g 8,8 -l 8,8 -a iota:64 -a zeros:64
kernel void local_array_row(global const float *in, global float *out) {
  local float tile[8][8];
  const int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[y * 8 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  out[y * 8 + x] = tile[min(y + 1, 7)][x];
#else
  out[y * 8 + x] = tile[y + 1][x];  // wrong
#endif
}
