// SPDX-License-Identifier: Apache-2.0
// A loop from the last element to the first goes one too far.
// kernel: pointer_backwards
// run: -g 8 -l 8 -a iota:32 -a zeros:8
kernel void pointer_backwards(global const short *in, global int *out) {
  int total = 0;
  global const short *p = in + 31;
#ifdef RIGHT
  for (int k = 0; k < 32; ++k) {
#else
  for (int k = 0; k < 33; ++k) {
#endif
    total += *p;  // wrong
    --p;
  }
  out[get_global_id(0)] = total;
}
