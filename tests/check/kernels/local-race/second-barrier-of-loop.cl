// SPDX-License-Identifier: Apache-2.0
// A tile is read while the next turn of the loop already fills it.
// kernel: turns
// run: -g 8 -l 8 -a iota:32 -a zeros:8
kernel void turns(global const double *in, global double *out) {
  local double tile[8];
  const int l = get_local_id(0);
  double sum = 0;
  for (int turn = 0; turn < 4; ++turn) {
    tile[l] = in[turn * 8 + l];  // wrong
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; ++k) sum += tile[k];  // wrong
#ifdef RIGHT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  out[l] = sum;
}
