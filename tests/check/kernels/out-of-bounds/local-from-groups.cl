// SPDX-License-Identifier: Apache-2.0
// Local memory is indexed by a global id.
// kernel: local_from_groups
// run: -g 32,2 -l 8,2 -a iota:64 -a zeros:64
kernel void local_from_groups(global const int *in, global int *out) {
  local int rows[2][8];
  const int x = get_global_id(0), y = get_local_id(1);
#ifdef RIGHT
  const int c = get_local_id(0);
#else
  const int c = x;
#endif
  rows[y][c] = in[y * 32 + x];  // wrong
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * 32 + x] = rows[y][c];  // wrong
}
