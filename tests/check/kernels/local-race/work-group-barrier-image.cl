// SPDX-License-Identifier: Apache-2.0
// A barrier orders images, and local memory is shared.
// kernel: work_group_barrier_image
// run: -g 32 -l 32 -a iota:32 -a zeros:32
// build: -cl-std=CL2.0
kernel void work_group_barrier_image(global const int *in, global int *out) {
  local int tile[32];
  const int l = get_local_id(0);
  tile[l] = in[l];  // wrong
#ifdef RIGHT
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
#else
  work_group_barrier(CLK_IMAGE_MEM_FENCE);
#endif
  out[l] = tile[(l + 1) % 32];  // wrong
}
