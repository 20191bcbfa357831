// SPDX-License-Identifier: Apache-2.0
// An index that a sub-group's sum gives is used without a bound.
// kernel: sub_group_broadcast_index
// run: -g 32 -l 32 -a iota:32 -a zeros:32
// build: -cl-std=CL3.0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sub_group_broadcast_index(global const int *in, global int *out) {
  const int i = get_global_id(0);
  const int sum = sub_group_reduce_add(in[i]);
#ifdef RIGHT
  out[(sum + i) % 32] = 1;
#else
  out[sum + i + 32] = 1;  // wrong
#endif
}
