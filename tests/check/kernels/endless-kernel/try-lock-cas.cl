// SPDX-License-Identifier: Apache-2.0
// A lock that work-items of a group take, and whose holder waits for the others at a barrier.
// kernel: try_lock_cas
// run: -g 8 -l 8 -a zeros:1 -a zeros:1
kernel void try_lock_cas(volatile global int *lock, global int *sum) {
#ifdef RIGHT
  atomic_inc(sum);
#else
  while (atomic_cmpxchg(lock, 0, 1) != 0) {  // wrong
  }
  *sum += 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(lock, 0);
#endif
}
