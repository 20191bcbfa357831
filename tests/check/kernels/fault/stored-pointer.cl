// SPDX-License-Identifier: Apache-2.0
// A number among pointers in memory is taken for a pointer.
// kernel: stored_pointer
// run: -g 2 -l 2 -a zeros:2 -a zeros:4
kernel void stored_pointer(global ulong *list, global int *out) {
  const int i = get_global_id(0);
  list[i] = (ulong)(size_t)(out + 2 + i);
#ifndef RIGHT
  list[i] |= 1ul << 60;
#endif
  global int *place = (global int *)(size_t)list[i];
  *place = i;  // wrong
}
