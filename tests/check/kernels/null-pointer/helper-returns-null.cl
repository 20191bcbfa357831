// SPDX-License-Identifier: Apache-2.0
// A search that has found nothing returns null.
// kernel: helper_returns_null
// run: -g 4 -l 4 -a iota:4 -a zeros:4
global const int *find(global const int *p, int n, int what) {
  for (int i = 0; i < n; ++i)
    if (p[i] == what) return p + i;
  return 0;
}
kernel void helper_returns_null(global const int *in, global int *out) {
  const int i = get_global_id(0);
  global const int *p = find(in, 4, i * 2);
#ifdef RIGHT
  out[i] = p ? *p : 0;
#else
  out[i] = *p;  // wrong
#endif
}
