// SPDX-License-Identifier: Apache-2.0
// The next value is written while others of the sub-group still read.
// kernel: sub_group_exchange_by_memory
// run: -g 32 -l 32 -a iota:32 -a zeros:32
// build: -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sub_group_exchange_by_memory(global const int *in, global int *out) {
  local int row[32];
  const int l = get_local_id(0);
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    row[l] = in[l] + k;  // wrong
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    sum += row[l ^ 1];  // wrong
#ifdef RIGHT
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  out[l] = sum;
}
