// SPDX-License-Identifier: Apache-2.0
// vload2 of ints needs the alignment of an int, and the address has that of a byte.
// kernel: vload_of_bytes
// run: -g 8 -l 8 -a iota:80 -a zeros:8
kernel void vload_of_bytes(global const uchar *bytes, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const int2 v = vload2(i, (global const int *)(bytes + 4));
#else
  const int2 v = vload2(i, (global const int *)(bytes + 2));  // wrong
#endif
  out[i] = v.x ^ v.y;
}
