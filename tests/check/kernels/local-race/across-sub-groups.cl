// SPDX-License-Identifier: Apache-2.0
// The order within a sub-group is taken for one within the whole work-group.
// kernel: across_sub_groups
// run: -g 256 -l 256 -a iota:256 -a zeros:256
// build: -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void across_sub_groups(global const int *in, global int *out) {
  local int sums[256];
  const int l = get_local_id(0);
  sums[l] = sub_group_reduce_add(in[l]);  // wrong
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[l] = sums[255 - l];  // wrong
}
