// SPDX-License-Identifier: Apache-2.0
// Work-groups exchange a value with the scope of a work-group.
// kernel: narrow_exchange
// run: -g 32 -l 16 -a zeros:4 -a zeros:32 --type 0=uchar
// build: -cl-std=CL2.0
kernel void narrow_exchange(global atomic_int *owner, global int *out) {
#ifdef RIGHT
  int seen = atomic_exchange_explicit(owner, (int)get_group_id(0), memory_order_relaxed, memory_scope_device);
#else
  const int group = get_group_id(0);
  int seen = atomic_exchange_explicit(owner, group, memory_order_relaxed, memory_scope_work_group);  // wrong
#endif
  out[get_global_id(0)] = seen;
}
