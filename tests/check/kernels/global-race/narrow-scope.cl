// SPDX-License-Identifier: Apache-2.0
// The atomics of a flag between work-groups have the scope of one work-group.
// kernel: narrow_scope
// run: -g 32 -l 16 -a zeros:1 -a zeros:64 -a zeros:32 --type 1=uchar
// build: -cl-std=CL2.0
kernel void narrow_scope(global int *data, global atomic_int *flag, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const memory_scope scope = memory_scope_device;
#else
  const memory_scope scope = memory_scope_work_group;
#endif
  if (i == 0) {
    *data = 42;  // wrong
    atomic_store_explicit(flag, 1, memory_order_release, scope);  // also
  }
  if (i == 31 && atomic_load_explicit(flag, memory_order_acquire, scope)) out[i] = *data;  // wrong
}
