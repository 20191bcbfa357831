// SPDX-License-Identifier: Apache-2.0
// Half of a sub-group calls its barrier.
// kernel: sub_group_barrier_in_branch
// run: -g 32 -l 32 -a iota:32 -a zeros:32
// build: -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sub_group_barrier_in_branch(global const int *in, global int *out) {
  const int l = get_sub_group_local_id();
#ifndef RIGHT
  if (l & 1)
#endif
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);  // wrong
  out[get_global_id(0)] = l;
}
