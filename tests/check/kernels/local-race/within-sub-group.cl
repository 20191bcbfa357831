// SPDX-License-Identifier: Apache-2.0
// Work-items of a sub-group exchange values without a barrier.
// kernel: within_sub_group
// run: -g 64 -l 64 -a iota:64 -a zeros:64
// build: -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void within_sub_group(global const int *in, global int *out) {
  local int tile[64];
  const int l = get_local_id(0);
  tile[l] = in[l];  // wrong
#ifdef RIGHT
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
#endif
  const int other = tile[l ^ 1];  // wrong
  out[l] = sub_group_reduce_add(other);
}
