// SPDX-License-Identifier: Apache-2.0
// A fence orders global memory, and local memory is shared.
// kernel: release_only_local_fence
// run: -g 32 -l 32 -a zeros:32 -a zeros:1
// build: -cl-std=CL2.0
kernel void release_only_local_fence(global int *data, global int *out) {
  local atomic_int ready;
  local int mine;
  const int l = get_local_id(0);
  if (l == 0) atomic_init(&ready, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    mine = 3;  // wrong
#ifdef RIGHT
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
#else
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
#endif
    atomic_store_explicit(&ready, 1, memory_order_relaxed, memory_scope_work_group);
  }
  if (l == 31 && atomic_load_explicit(&ready, memory_order_acquire, memory_scope_work_group))
    out[0] = mine;  // wrong
}
