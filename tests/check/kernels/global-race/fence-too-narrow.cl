// SPDX-License-Identifier: Apache-2.0
// A fence is for a work-group, and another one reads.
// kernel: fence_too_narrow
// run: -g 32 -l 16 -a zeros:8 -a zeros:1 -a zeros:2
// build: -cl-std=CL2.0
kernel void fence_too_narrow(global int *data, global int *flag, global int *out) {
  global atomic_int *ready = (global atomic_int *)flag;
  if (get_global_id(0) == 0) {
    data[0] = 42;  // wrong
#ifdef RIGHT
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
#else
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
#endif
    atomic_store_explicit(ready, 1, memory_order_relaxed, memory_scope_device);
  }
  if (get_global_id(0) == 16 && atomic_load_explicit(ready, memory_order_acquire, memory_scope_device))
    out[0] = data[0];  // wrong
}
