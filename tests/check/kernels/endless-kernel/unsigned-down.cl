// SPDX-License-Identifier: Apache-2.0
// An unsigned number is counted down until it is negative.
// kernel: unsigned_down
// run: -g 2 -l 2 -a iota:8 -a zeros:2
kernel void unsigned_down(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int sum = 0;
#ifdef RIGHT
  for (uint k = 8; k-- > 0;) sum += in[k];
#else
  for (uint k = 7; k >= 0; --k) sum += in[k & 7];  // wrong
#endif
  out[i] = sum;
}
