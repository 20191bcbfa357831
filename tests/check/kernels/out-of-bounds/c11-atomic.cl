// SPDX-License-Identifier: Apache-2.0
// An atomic operation of OpenCL C 2.0 is on the flag behind the last one.
// kernel: c11_atomic
// run: -g 16 -l 4 -a zeros:64 --type 0=uchar
// build: -cl-std=CL2.0
kernel void c11_atomic(global atomic_int *flags) {
  const int i = get_global_id(0);
#ifdef RIGHT
  atomic_fetch_add_explicit(&flags[i], 1, memory_order_relaxed, memory_scope_device);
#else
  atomic_fetch_add_explicit(&flags[i + 1], 1, memory_order_relaxed, memory_scope_device);  // wrong
#endif
}
