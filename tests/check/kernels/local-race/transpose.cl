// SPDX-License-Identifier: Apache-2.0
// A tile is written by rows and read by columns with no barrier between.
// kernel: transpose
// run: -g 8,8 -l 4,4 -a iota:64 -a zeros:64
kernel void transpose(global const float *in, global float *out) {
  local float tile[4][5];
  const int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[get_global_id(1) * 8 + get_global_id(0)];  // wrong
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  const int to_x = get_group_id(1) * 4 + x, to_y = get_group_id(0) * 4 + y;
  out[to_y * 8 + to_x] = tile[x][y];  // wrong
}
