// SPDX-License-Identifier: Apache-2.0
// The access stands in a function that a function calls, with an index computed in the kernel.
// kernel: helper_two_deep
// run: -g 64 -l 16 -a zeros:64 -a iota:64
int fetch(global const int *values, int index) {
  return values[index];  // wrong
}
int difference(global const int *values, int index, int distance) {
  return fetch(values, index + distance) - values[index];
}
kernel void helper_two_deep(global int *out, global const int *in) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = difference(in, i, i < 60 ? 4 : 0);
#else
  out[i] = difference(in, i, 4);
#endif
}
