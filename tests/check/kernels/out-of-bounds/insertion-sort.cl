// SPDX-License-Identifier: Apache-2.0
// The sentinel of a sort is looked at behind the element.
// kernel: insertion_sort
// run: -g 2 -l 2 -a random:16 -a zeros:2
kernel void insertion_sort(global const int *in, global int *out) {
  int v[8];
  int g = get_global_id(0);
  for (int i = 0; i < 8; i++) v[i] = in[g * 8 + i] + 1;
  for (int i = 1; i < 8; i++) {
    int x = v[i], k = i;
    if (i == 4) x = 0;
#ifdef RIGHT
    while (k > 0 && v[k - 1] > x) { v[k] = v[k - 1]; k--; }
#else
    while (v[k - 1] > x && k >= 0) { v[k] = v[k - 1]; k--; }  // wrong
#endif
    v[k] = x;
  }
  out[g] = v[0];
}
