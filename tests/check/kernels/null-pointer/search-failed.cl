// SPDX-License-Identifier: Apache-2.0
// A search through a table gives a null pointer where nothing was found.
// kernel: search_failed
// run: -g 16 -l 4 -a iota:8 -a zeros:16
global const int *find(global const int *values, int wanted) {
  for (int k = 0; k < 8; ++k)
    if (values[k] == wanted) return values + k;
  return 0;
}
kernel void search_failed(global const int *values, global int *out) {
  const int i = get_global_id(0);
  global const int *found = find(values, i);
#ifdef RIGHT
  out[i] = found ? *found : -1;
#else
  out[i] = *found;  // wrong
#endif
}
