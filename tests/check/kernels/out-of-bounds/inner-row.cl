// SPDX-License-Identifier: Apache-2.0
// A row of a local matrix is read behind its end, where the next row begins.
// kernel: inner_row
// run: -g 8,8 -l 8,8 -a iota:64 -a zeros:64
// bounds: a row of a matrix is not looked at
kernel void inner_row(global const float *in, global float *out) {
  local float tile[9][8];
  const int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[y * 8 + x];
  if (y == 0) tile[8][x] = 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  out[y * 8 + x] = tile[y][min(x + 1, 7)];
#else
  out[y * 8 + x] = tile[y][x + 1];  // wrong
#endif
}
