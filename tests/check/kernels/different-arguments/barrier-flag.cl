// SPDX-License-Identifier: Apache-2.0
// The flags of a barrier depend on the work-item.
// kernel: flag
// run: -g 16 -l 8 -a iota:16 -a zeros:16
kernel void flag(global const int *in, global int *out) {
  local int t[8];
  const int l = get_local_id(0), g = get_global_id(0);
  t[l] = in[g];
#ifdef RIGHT
  const int isFirst = in[get_group_id(0) * 8] < 100;
#else
  const int isFirst = l < 4;
#endif
  barrier(isFirst ? CLK_LOCAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);  // wrong
  out[g] = t[7 - l];
}
