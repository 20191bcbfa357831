// SPDX-License-Identifier: Apache-2.0
// A work-item waits in a loop for one that comes later in its work-group.
// kernel: spin_on_neighbour
// run: -g 4 -l 4 -a zeros:1 -a zeros:4
kernel void spin_on_neighbour(volatile global int *flag, global int *out) {
  const int l = get_local_id(0);
#ifdef RIGHT
  if (l == 3) atomic_xchg(flag, 1);
  barrier(CLK_GLOBAL_MEM_FENCE);
#else
  if (l == 3) atomic_xchg(flag, 1);
  while (atomic_add(flag, 0) == 0) {  // wrong
  }
#endif
  out[l] = atomic_add(flag, 0);
}
