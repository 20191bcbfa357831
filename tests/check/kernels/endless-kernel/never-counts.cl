// SPDX-License-Identifier: Apache-2.0
// The loop's variable is not counted in one of two ways through the body.
// kernel: never_counts
// run: -g 4 -l 4 -a iota:8 -a zeros:4
kernel void never_counts(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int sum = 0, k = 0;
  while (k < 8) {  // wrong
    if (in[k] == 5) {
#ifdef RIGHT
      ++k;
#endif
      continue;
    }
    sum += in[k++];
  }
  out[i] = sum;
}
