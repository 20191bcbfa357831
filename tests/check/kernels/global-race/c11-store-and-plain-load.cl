// SPDX-License-Identifier: Apache-2.0
// An atomic variable is written by its functions and read as a plain one.
// kernel: c11_store_and_plain_load
// run: -g 16 -l 4 -a zeros:1 -a zeros:16
// build: -cl-std=CL2.0
kernel void c11_store_and_plain_load(global atomic_int *level, global int *out) {
  const int i = get_global_id(0);
  if (i == 5) atomic_store_explicit(level, 3, memory_order_relaxed, memory_scope_device);  // wrong
#ifdef RIGHT
  out[i] = atomic_load_explicit(level, memory_order_relaxed, memory_scope_device);
#else
  out[i] = *(global int *)level;  // wrong
#endif
}
