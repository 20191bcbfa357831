// SPDX-License-Identifier: Apache-2.0
// A work-group function is called by some work-items.
// kernel: work_group_function
// run: -g 16 -l 8 -a iota:16 -a zeros:16
// build: -cl-std=CL2.0
kernel void work_group_function(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = work_group_reduce_add(in[i] % 3 ? in[i] : 0);
#else
  if (in[i] % 3) out[i] = work_group_reduce_add(in[i]);  // wrong
#endif
}
