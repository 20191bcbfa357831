// SPDX-License-Identifier: Apache-2.0
// work_group_barrier with a scope is called by one half of the work-group.
// kernel: work_group_barrier_half
// run: -g 16 -l 8 -a zeros:16
// build: -cl-std=CL2.0
kernel void work_group_barrier_half(global int *out) {
  const int l = get_local_id(0);
  out[get_global_id(0)] = l;
#ifdef RIGHT
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
#else
  if (l >= 4) work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);  // wrong
#endif
}
