// SPDX-License-Identifier: Apache-2.0
// A work-item tells the others of its group by a relaxed flag that a value is there.
// kernel: flag_in_group
// run: -g 8 -l 8 -a zeros:8
// build: -cl-std=CL2.0
kernel void flag_in_group(global int *out) {
  local int value;
  local atomic_int flag;
  const int l = get_local_id(0);
  if (l == 0) atomic_init(&flag, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  const memory_order set = memory_order_release, seen = memory_order_acquire;
#else
  const memory_order set = memory_order_relaxed, seen = memory_order_relaxed;
#endif
  if (l == 0) {
    value = 7;  // wrong
    atomic_store_explicit(&flag, 1, set, memory_scope_work_group);
  }
  if (l == 5 && atomic_load_explicit(&flag, seen, memory_scope_work_group)) out[l] = value;  // wrong
}
