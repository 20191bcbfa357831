// SPDX-License-Identifier: Apache-2.0
// A helper function gets the index of a column for that of a row.
// kernel: nested_array_argument
// run: -g 2,4 -l 2,4 -a zeros:8
int rowSum(const int (*rows)[3], int r) {
  int s = 0;
  for (int c = 0; c < 3; ++c)
    s += rows[r][c];  // wrong
  return s;
}
kernel void nested_array_argument(global int *out) {
  int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
#ifdef RIGHT
  const int r = get_global_id(0);
#else
  const int r = get_global_id(1);
#endif
  out[get_global_id(1) * 2 + get_global_id(0)] = rowSum(table, r);
}
