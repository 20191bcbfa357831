// SPDX-License-Identifier: Apache-2.0
// A helper with a generic pointer gets a private array and the wrong length.
// kernel: generic_helper
// run: -g 8 -l 8 -a iota:8 -a zeros:8
// build: -cl-std=CL2.0
// bounds: a private variable that is optimised away
int sum(const int *p, int n) {
  int s = 0;
  for (int k = 0; k < n; ++k)
    s += p[k];  // wrong
  return s;
}
kernel void generic_helper(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int row[3] = {in[i], 1, 2};
#ifdef RIGHT
  out[i] = sum(row, 3) + sum(in, 8);
#else
  out[i] = sum(row, 4) + sum(in, 8);
#endif
}
