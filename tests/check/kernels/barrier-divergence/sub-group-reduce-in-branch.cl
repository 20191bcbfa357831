// SPDX-License-Identifier: Apache-2.0
// Two work-items of a sub-group compute its sum.
// kernel: sub_group_reduce_in_branch
// run: -g 32 -l 32 -a iota:32 -a zeros:32
// build: -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sub_group_reduce_in_branch(global const int *in, global int *out) {
  const int l = get_sub_group_local_id();
  int s = 0;
#ifdef RIGHT
  const int all = sub_group_reduce_add(in[l]);
  if (l < 2) s = all;
#else
  if (l < 2) s = sub_group_reduce_add(in[l]);  // wrong
#endif
  out[get_global_id(0)] = s;
}
