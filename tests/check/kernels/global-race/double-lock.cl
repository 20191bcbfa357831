// SPDX-License-Identifier: Apache-2.0
// There are two locks for one sum.
// kernel: double_lock
// run: -g 4 -l 1 -a zeros:2 -a zeros:1
void lock(volatile global int *m) { while (atomic_cmpxchg(m, 0, 1) != 0); }
void unlock(volatile global int *m) { atomic_xchg(m, 0); }
kernel void double_lock(volatile global int *locks, global int *sum) {
  int i = get_global_id(0);
#ifdef RIGHT
  volatile global int *m = &locks[0];
#else
  volatile global int *m = &locks[i & 1];
#endif
  lock(m);
  *sum += i;  // wrong
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  unlock(m);
}
