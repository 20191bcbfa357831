// SPDX-License-Identifier: Apache-2.0
// The flags of a barrier of the sub-group depend on the work-item; right, on the sub-group.
// kernel: flag
// build: -cl-std=CL3.0
// run: -g 64 -l 64 -a iota:64 -a zeros:64
kernel void flag(global const int *in, global int *out) {
  local int t[64];
  const int l = get_local_id(0);
  t[l] = in[l];
#ifdef RIGHT
  const int odd = get_sub_group_id() & 1;
#else
  const int odd = get_sub_group_local_id() & 1;
#endif
  sub_group_barrier(odd ? CLK_LOCAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);  // wrong
  out[l] = t[l];
}
