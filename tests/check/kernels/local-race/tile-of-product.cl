// SPDX-License-Identifier: Apache-2.0
// The next tile of a matrix product is loaded while others still read the last one.
// kernel: tile_of_product
// run: -g 8,8 -l 4,4 -a iota:64 -a iota:64 -a zeros:64
kernel void tile_of_product(global const float *a, global const float *b, global float *c) {
  local float at[4][4], bt[4][4];
  const int x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
  float sum = 0.0f;
  for (int t = 0; t < 2; ++t) {
    at[y][x] = a[gy * 8 + t * 4 + x];    // wrong
    bt[y][x] = b[(t * 4 + y) * 8 + gx];  // wrong
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 4; ++k)
      sum += at[y][k] * bt[k][x];  // wrong
#ifdef RIGHT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  c[gy * 8 + gx] = sum;
}
