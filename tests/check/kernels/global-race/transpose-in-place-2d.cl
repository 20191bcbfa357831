// SPDX-License-Identifier: Apache-2.0
// A square matrix is transposed in place by all work-items.
// kernel: transpose_in_place_2d
// run: -g 8,8 -l 4,4 -a iota:64
kernel void transpose_in_place_2d(global int *m) {
  const int x = get_global_id(0), y = get_global_id(1);
#ifdef RIGHT
  if (x <= y) return;
#endif
  const int a = m[y * 8 + x], b = m[x * 8 + y];  // also
  m[y * 8 + x] = b;  // wrong
  m[x * 8 + y] = a;  // also
}
