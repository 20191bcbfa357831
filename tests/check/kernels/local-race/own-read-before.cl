// SPDX-License-Identifier: Apache-2.0
// Each work-item reads its element and writes it, as its neighbour does.
// kernel: own_read_before
// run: -g 16 -l 16 -a iota:16 -a zeros:16
kernel void own_read_before(global const int *in, global int *out) {
  local int t[17];
  const int l = get_local_id(0);
  t[l] = in[l];
  if (l == 0) t[16] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  t[l] += 1;  // also
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  t[l + 1] += 1;  // wrong
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = t[l];
}
