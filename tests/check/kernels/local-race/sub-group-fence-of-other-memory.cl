// SPDX-License-Identifier: Apache-2.0
// The barrier of a sub-group orders global memory, and local memory is shared.
// kernel: sub_group_fence_of_other_memory
// run: -g 32 -l 32 -a iota:32 -a zeros:32
// build: -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sub_group_fence_of_other_memory(global const int *in, global int *out) {
  local int row[32];
  const int l = get_local_id(0);
  row[l] = in[l];  // wrong
#ifdef RIGHT
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
#else
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  out[l] = row[l ^ 1];  // wrong
}
