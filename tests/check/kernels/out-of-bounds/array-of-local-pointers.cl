// SPDX-License-Identifier: Apache-2.0
// An array of pointers leads to local memory, which is left.
// kernel: array_of_local_pointers
// run: -g 4 -l 4 -a zeros:4
// bounds: a pointer from memory is not looked at
kernel void array_of_local_pointers(global int *out) {
  local int a[4], b[4];
  local int *both[2] = {a, b};
  const int l = get_local_id(0);
  a[l] = l;
  b[l] = 2 * l;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  out[l] = both[l & 1][l];
#else
  out[l] = both[l & 1][l + 1];  // wrong
#endif
}
