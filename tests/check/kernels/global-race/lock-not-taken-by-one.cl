// SPDX-License-Identifier: Apache-2.0
// One work-item does not take the lock.
// kernel: lock_not_taken_by_one
// run: -g 4 -l 1 -a zeros:2 -a zeros:1
kernel void lock_not_taken_by_one(volatile global int *shared, volatile global int *lock) {
#ifndef RIGHT
  if (get_global_id(0) == 3) {
    shared[0] += 100;  // wrong
    return;
  }
#endif
  while (atomic_cmpxchg(lock, 0, 1) != 0) {}
  shared[0] += 1;  // wrong
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(lock, 0);
}
