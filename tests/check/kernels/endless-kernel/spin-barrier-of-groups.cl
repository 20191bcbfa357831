// SPDX-License-Identifier: Apache-2.0
// Work-items wait in a loop for all others, which run after them.
// kernel: spin_barrier_of_groups
// run: -g 16 -l 8 -a zeros:1 -a zeros:16
kernel void spin_barrier_of_groups(volatile global int *arrived, global int *out) {
  atomic_inc(arrived);
#ifndef RIGHT
  while (atomic_add(arrived, 0) < get_global_size(0)) {}  // wrong
#endif
  out[get_global_id(0)] = 1;
}
