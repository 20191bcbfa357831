// SPDX-License-Identifier: Apache-2.0
// A function returns the address of an array of its own.
// kernel: returned_address
// run: -g 8 -a iota:64 -a zeros:8
#ifdef RIGHT
int *smallest(global const int *row, int *sorted) {
#else
int *smallest(global const int *row) {
  int sorted[8];
#endif
  for (int k = 0; k < 8; ++k) {
    int at = k;
    for (; at > 0 && sorted[at - 1] > row[k]; --at) sorted[at] = sorted[at - 1];
    sorted[at] = row[k];
  }
  return sorted + 2;
}
kernel void returned_address(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  int sorted[8];
  out[i] = *smallest(in + 8 * i, sorted);
#else
  out[i] = *smallest(in + 8 * i);  // wrong
#endif
}
