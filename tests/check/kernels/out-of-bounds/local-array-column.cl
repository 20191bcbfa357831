// SPDX-License-Identifier: Apache-2.0
// The column behind the last one of a local tile is the first of the next row.
// kernel: local_array_column
// run: -g 8,8 -l 8,8 -a iota:64 -a zeros:64
kernel void local_array_column(global const float *in, global float *out) {
  local float tile[8][8];
  const int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[y * 8 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  out[y * 8 + x] = tile[y][min(x + 1, 7)];
#else
  out[y * 8 + x] = tile[y][x + 1];  // wrong
#endif
}
