// SPDX-License-Identifier: Apache-2.0
// A value is published with relaxed atomics of C++.
// kernel: cxx_atomic_relaxed_publish
// run: -g 16 -l 8 -a zeros:1 -a zeros:1 -a zeros:16
// build: -cl-std=clc++2021
kernel void cxx_atomic_relaxed_publish(global int *data, global atomic_int *ready, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const memory_order store = memory_order_release, load = memory_order_acquire;
#else
  const memory_order store = memory_order_relaxed, load = memory_order_relaxed;
#endif
  if (i == 0) {
    *data = 7;  // wrong
    atomic_store_explicit(ready, 1, store, memory_scope_device);
  }
  if (atomic_load_explicit(ready, load, memory_scope_device)) {
    if (i != 0) out[i] = *data;  // wrong
  }
}
