// SPDX-License-Identifier: Apache-2.0
// A member of structures in local memory is never set.
// kernel: local_struct_member
// run: -g 8 -l 8 -a zeros:8
typedef struct { int key, value; } Entry;
kernel void local_struct_member(global int *out) {
  local Entry table[8];
  const int l = get_local_id(0);
  table[l].key = l;
#ifdef RIGHT
  table[l].value = 2 * l;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = table[7 - l].value + 1;  // wrong
}
