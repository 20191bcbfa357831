// SPDX-License-Identifier: Apache-2.0
// A relaxed counter hands results to the last work-group, without the fence that makes them visible.
// kernel: fence_missing
// run: -g 32 -l 8 -a iota:32 -a zeros:4 -a zeros:4 -a zeros:1 --type 2=uchar
// build: -cl-std=CL2.0
kernel void fence_missing(global const int *in, global int *partial, global atomic_int *done, global int *out) {
  const int g = get_group_id(0);
  if (get_local_id(0) != 0) return;
  partial[g] = in[g * 8];  // wrong
#ifdef RIGHT
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
#endif
  const int before = atomic_fetch_add_explicit(done, 1, memory_order_relaxed, memory_scope_device);
  if (before == 3) {
#ifdef RIGHT
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
#endif
    for (int k = 0; k < 4; ++k) out[0] += partial[k];  // wrong
  }
}
