// SPDX-License-Identifier: Apache-2.0
// A matrix product in tiles without the barrier at the end of an iteration.
// kernel: tile_reused
// run: -g 8,8 -l 4,4 -a iota:64 -a zeros:64
kernel void tile_reused(global const float *a, global float *c) {
  local float ta[4][4];
  const int x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
  float sum = 0.0f;
  for (int t = 0; t < 2; ++t) {
    ta[y][x] = a[gy * 8 + t * 4 + x];  // wrong
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 4; ++k)
      sum += ta[y][k];  // wrong
#ifdef RIGHT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  c[gy * 8 + gx] = sum;
}
