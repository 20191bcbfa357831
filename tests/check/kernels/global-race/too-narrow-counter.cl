// SPDX-License-Identifier: Apache-2.0
// A counter of all work-groups is updated with the scope of a work-group.
// kernel: too_narrow_counter
// run: -g 32 -l 16 -a zeros:4 --type 0=uchar
// build: -cl-std=CL2.0
kernel void too_narrow_counter(global atomic_int *counter) {
#ifdef RIGHT
  atomic_fetch_add_explicit(counter, 1, memory_order_relaxed, memory_scope_device);
#else
  atomic_fetch_add_explicit(counter, 1, memory_order_relaxed, memory_scope_work_group);  // wrong
#endif
}
