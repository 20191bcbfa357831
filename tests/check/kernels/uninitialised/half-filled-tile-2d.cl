// SPDX-License-Identifier: Apache-2.0
// The halo of a 2D tile is filled on two sides of four.
// kernel: half_filled_tile_2d
// run: -g 8,8 -l 8,8 -a iota:64 -a zeros:64
kernel void half_filled_tile_2d(global const float *in, global float *out) {
  local float t[10][10];  // also
  const int x = get_local_id(0), y = get_local_id(1);
  t[y + 1][x + 1] = in[y * 8 + x];
  if (x == 0) t[y + 1][0] = 0.0f;
  if (y == 0) t[0][x + 1] = 0.0f;
#ifdef RIGHT
  if (x == 7) t[y + 1][9] = 0.0f;
  if (y == 7) t[9][x + 1] = 0.0f;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * 8 + x] = t[y][x + 1] + t[y + 2][x + 1] + t[y + 1][x] + t[y + 1][x + 2];  // wrong
}
