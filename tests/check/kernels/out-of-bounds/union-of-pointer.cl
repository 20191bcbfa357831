// SPDX-License-Identifier: Apache-2.0
// A pointer is moved as an integer, in a union.
// kernel: union_of_pointer
// run: -g 4 -l 4 -a zeros:4
typedef union { global int *p; ulong u; } Address;
kernel void union_of_pointer(global int *out) {
  Address a;
  a.p = out;
#ifdef RIGHT
  a.u += 4 * get_global_id(0);
#else
  a.u += 8 * get_global_id(0);
#endif
  *a.p = 1;  // wrong
}
