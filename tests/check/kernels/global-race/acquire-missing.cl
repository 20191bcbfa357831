// SPDX-License-Identifier: Apache-2.0
// A flag is read relaxed, so that nothing orders what comes behind it.
// kernel: acquire_missing
// run: -g 32 -l 16 -a zeros:8 -a zeros:1 -a zeros:2
// build: -cl-std=CL2.0
kernel void acquire_missing(global int *data, global int *flag, global int *out) {
  global atomic_int *ready = (global atomic_int *)flag;
  if (get_global_id(0) == 0) {
    data[0] = 42;  // wrong
    atomic_store_explicit(ready, 1, memory_order_release, memory_scope_device);
  }
#ifdef RIGHT
  if (get_global_id(0) == 16 && atomic_load_explicit(ready, memory_order_acquire, memory_scope_device))
#else
  if (get_global_id(0) == 16 && atomic_load_explicit(ready, memory_order_relaxed, memory_scope_device))
#endif
    out[0] = data[0];  // wrong
}
