// SPDX-License-Identifier: Apache-2.0
// A lock is taken by each work-item and not given back on one way.
// kernel: lock_in_group
// run: -g 8 -l 8 -a zeros:1 -a zeros:1 -a iota:8
kernel void lock_in_group(volatile global int *lock, global int *sum, global const int *in) {
  const int v = in[get_global_id(0)];
  while (atomic_cmpxchg(lock, 0, 1) != 0) {  // wrong
  }
  if (v == 3) {
#ifdef RIGHT
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
#endif
    return;
  }
  *sum += v;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(lock, 0);
}
