// SPDX-License-Identifier: Apache-2.0
// Both work-items of a pair exchange its elements.
// kernel: swap_step
// run: -g 32 -l 8 -a random:32 -a 8 -a 16
// findings: 1
kernel void swap_step(global int *a, int j, int k) {
  int i = get_global_id(0), p = i ^ j;
#ifdef RIGHT
  if (p <= i) return;
#endif
  int x = a[i], y = a[p];  // wrong
  int up = (min(i, p) & k) == 0;
  int lo = min(x, y), hi = max(x, y);
  a[min(i, p)] = up ? lo : hi;  // wrong
  a[max(i, p)] = up ? hi : lo;  // wrong
}
