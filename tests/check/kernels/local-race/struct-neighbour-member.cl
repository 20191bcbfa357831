// SPDX-License-Identifier: Apache-2.0
// Two work-items write the same member.
// kernel: struct_neighbour_member
// run: -g 32 -l 32 -a zeros:32
typedef struct { short a, b; } Two;
kernel void struct_neighbour_member(global int *out) {
  local Two cells[17];
  const int l = get_local_id(0);
#ifdef RIGHT
  if (l & 1) cells[l / 2].a = l;
  else cells[l / 2].b = l;
#else
  if (l & 1) cells[l / 2].a = l;  // wrong
  else cells[l / 2 + 1].a = l;    // wrong
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = cells[l / 2].a;
}
