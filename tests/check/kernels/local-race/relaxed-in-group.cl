// SPDX-License-Identifier: Apache-2.0
// A relaxed flag in local memory does not order what it is for.
// kernel: relaxed_in_group
// run: -g 32 -l 32 -a iota:32 -a zeros:32
// build: -cl-std=CL2.0
kernel void relaxed_in_group(global const int *in, global int *out) {
  local int data;
  local atomic_int ready;
  const int l = get_local_id(0);
  if (l == 0) atomic_init(&ready, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    data = in[0];  // wrong
#ifdef RIGHT
    atomic_store_explicit(&ready, 1, memory_order_release, memory_scope_work_group);
#else
    atomic_store_explicit(&ready, 1, memory_order_relaxed, memory_scope_work_group);
#endif
  }
#ifdef RIGHT
  if (l == 31 && atomic_load_explicit(&ready, memory_order_acquire, memory_scope_work_group))
#else
  if (l == 31 && atomic_load_explicit(&ready, memory_order_relaxed, memory_scope_work_group))
#endif
    out[0] = data;  // wrong
}
