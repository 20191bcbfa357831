// SPDX-License-Identifier: Apache-2.0
// Work-groups were to have their own counters, and do not.
// kernel: narrow_own_element
// run: -g 32 -l 16 -a zeros:8 --type 0=uchar
// build: -cl-std=CL2.0
kernel void narrow_own_element(global atomic_int *sums) {
#ifdef RIGHT
  global atomic_int *mine = sums + get_group_id(0);
#else
  global atomic_int *mine = sums + get_local_id(0) / 8;
#endif
  atomic_fetch_add_explicit(mine, 1, memory_order_relaxed, memory_scope_work_group);  // wrong
}
