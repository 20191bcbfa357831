// SPDX-License-Identifier: Apache-2.0
// The sum of a sub-group is added by each of its work-items.
// kernel: sub_group_leader_missing
// run: -g 32 -l 32 -a iota:32 -a zeros:4
// build: -cl-std=CL3.0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sub_group_leader_missing(global const int *in, global int *out) {
  const int sum = sub_group_reduce_add(in[get_global_id(0)]);
#ifdef RIGHT
  if (get_sub_group_local_id() == 0) out[get_sub_group_id() % 4] = sum;
#else
  out[0] += sum;  // wrong
#endif
}
