// SPDX-License-Identifier: Apache-2.0
// A lock whose operations are relaxed orders nothing.
// kernel: spin_lock_relaxed
// run: -g 4 -l 1 -a zeros:2 -a zeros:1
// build: -cl-std=CL2.0
kernel void spin_lock_relaxed(global int *shared, global int *lock) {
  global atomic_int *l = (global atomic_int *)lock;
  int expected = 0;
#ifdef RIGHT
  while (!atomic_compare_exchange_weak_explicit(l, &expected, 1, memory_order_acquire, memory_order_relaxed,
                                                memory_scope_device))
    expected = 0;
  shared[0] += 1;
  atomic_store_explicit(l, 0, memory_order_release, memory_scope_device);
#else
  while (!atomic_compare_exchange_weak_explicit(l, &expected, 1, memory_order_relaxed, memory_order_relaxed,
                                                memory_scope_device))
    expected = 0;
  shared[0] += 1;  // wrong
  atomic_store_explicit(l, 0, memory_order_relaxed, memory_scope_device);
#endif
}
