// SPDX-License-Identifier: Apache-2.0
// A private array of three dimensions, one index of which is a column of the next.
// kernel: indices_swapped_3d
// run: -g 4,4,4 -l 4,4,4 -a zeros:64
kernel void indices_swapped_3d(global int *out) {
  const int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
  int a[2][3][4];
  for (int k = 0; k < 24; ++k) a[k / 12][k / 4 % 3][k % 4] = k;
#ifdef RIGHT
  out[(z * 4 + y) * 4 + x] = a[z & 1][y % 3][x];
#else
  out[(z * 4 + y) * 4 + x] = a[z & 1][x][y];  // wrong
#endif
}
