// SPDX-License-Identifier: Apache-2.0
// Half of the work-items have no value for the sum of a sub-group.
// kernel: sub_group_sum
// run: -g 8 -l 8 -a zeros:8
// build: -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sub_group_sum(global int *out) {
  int mine;  // also
  if (get_global_id(0) < 4) mine = 1;
#ifdef RIGHT
  else mine = 0;
#endif
  out[get_global_id(0)] = sub_group_reduce_add(mine);  // wrong
}
