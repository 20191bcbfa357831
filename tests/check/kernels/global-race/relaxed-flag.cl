// SPDX-License-Identifier: Apache-2.0
// Data are handed to another work-group by a flag whose atomics are relaxed.
// kernel: relaxed_flag
// run: -g 32 -l 16 -a zeros:1 -a zeros:64 -a zeros:32 --type 1=uchar
// build: -cl-std=CL2.0
kernel void relaxed_flag(global int *data, global atomic_int *flag, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const memory_order set = memory_order_release, seen = memory_order_acquire;
#else
  const memory_order set = memory_order_relaxed, seen = memory_order_relaxed;
#endif
  if (i == 0) {
    *data = 42;  // wrong
    atomic_store_explicit(flag, 1, set, memory_scope_device);
  }
  if (i == 31 && atomic_load_explicit(flag, seen, memory_scope_device)) out[i] = *data;  // wrong
}
