// SPDX-License-Identifier: Apache-2.0
// A list is linked by its heads, which several work-items have in common.
// kernel: list_heads
// run: -g 16 -l 4 -a zeros:16 -a zeros:16
kernel void list_heads(global int *heads, global int *next) {
  const int i = get_global_id(0);
#ifdef RIGHT
  next[i] = atomic_xchg(&heads[i % 4], i);
#else
  next[i] = heads[i % 4];  // wrong
  heads[i % 4] = i;  // wrong
#endif
}
