// SPDX-License-Identifier: Apache-2.0
// A relaxation updates both colours in one launch.
// kernel: red_black_colour
// run: -g 16,16 -l 8,8 -a iota:256
kernel void red_black_colour(global float *grid) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x == 0 || y == 0 || x == 15 || y == 15) return;
#ifdef RIGHT
  if ((x + y) % 2) return;
#endif
  const float up = grid[(y - 1) * 16 + x], down = grid[(y + 1) * 16 + x];  // also
  const float left = grid[y * 16 + x - 1], right = grid[y * 16 + x + 1];  // also
  grid[y * 16 + x] = 0.25f * (up + down + left + right);  // wrong
}
