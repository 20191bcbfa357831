// SPDX-License-Identifier: Apache-2.0
// A helper fills n elements of an array and sums one more.
// kernel: pointer_argument_array
// run: -g 8 -l 8 -a iota:8 -a zeros:8
int fill(int *a, int n, int by) {
  for (int k = 0; k < n; ++k) a[k] = by;
  int sum = 0;
#ifdef RIGHT
  for (int k = 0; k < n; ++k) sum += a[k];
#else
  for (int k = 0; k <= n; ++k) sum += a[k];  // also
#endif
  return sum;
}
kernel void pointer_argument_array(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int a[8];  // also
  out[i] = fill(a, 4, in[i]);  // wrong
}
