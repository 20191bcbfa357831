// SPDX-License-Identifier: Apache-2.0
// The first work-item divides by its id.
// kernel: by_id
// run: -g 16 -l 4 -a zeros:16 -a 100
kernel void by_id(global int *out, int n) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = n / (i + 1);
#else
  out[i] = n / i;  // wrong
#endif
}
