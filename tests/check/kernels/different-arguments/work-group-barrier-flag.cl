// SPDX-License-Identifier: Apache-2.0
// The flags of a barrier in a loop depend on what each work-item has read.
// kernel: flag
// build: -cl-std=CL2.0
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void flag(global const int *in, global int *out) {
  local int t[8];
  const int l = get_local_id(0);
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    t[l] = in[l] + i;
#ifdef RIGHT
    const cl_mem_fence_flags flags = i == 1 ? CLK_LOCAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE;
#else
    const cl_mem_fence_flags flags = t[l] == 3 ? CLK_LOCAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE;
#endif
    work_group_barrier(flags);  // wrong
    sum += t[(l + 1) % 8];
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[l] = sum;
}
