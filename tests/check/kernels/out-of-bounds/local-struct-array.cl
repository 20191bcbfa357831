// SPDX-License-Identifier: Apache-2.0
// The array in a structure in local memory is left, into the member behind it.
// kernel: local_struct_array
// run: -g 8 -l 8 -a zeros:8
// bounds: an array in a structure is not looked at
typedef struct { int v[4]; int tag; } Cell;
kernel void local_struct_array(global int *out) {
  local Cell cells[8];
  const int l = get_local_id(0);
  cells[l].tag = 7;
  for (int k = 0; k < 4; ++k) cells[l].v[k] = k;
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
#ifdef RIGHT
  for (int k = 0; k < 4; ++k)
#else
  for (int k = 0; k <= 4; ++k)
#endif
    sum += cells[l].v[k];  // wrong
  out[l] = sum;
}
