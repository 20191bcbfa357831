// SPDX-License-Identifier: Apache-2.0
// The fence ahead of a flag orders local memory.
// kernel: fence_release
// run: -g 8 -l 4 -a zeros:1 -a zeros:1 -a zeros:8
// build: -cl-std=CL3.0
kernel void fence_release(global atomic_int *flag, global int *data, global int *out) {
  int g = get_global_id(0);
  if (g == 0) {
    *data = 7;  // wrong
#ifdef RIGHT
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
#else
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_device);
#endif
    atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
  } else if (g == 4) {
    if (atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device)) {
      atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
      out[g] = *data;  // wrong
    }
  }
}
