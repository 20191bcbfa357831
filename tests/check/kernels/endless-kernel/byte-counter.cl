// SPDX-License-Identifier: Apache-2.0
// A counter of a byte never reaches 256.
// kernel: byte_counter
// run: -g 4 -l 4 -a zeros:4
kernel void byte_counter(global int *out) {
  int sum = 0;
#ifdef RIGHT
  for (int k = 0; k < 256; ++k)
#else
  for (uchar k = 0; k < 256; ++k)  // wrong
#endif
    sum += k;
  out[get_global_id(0)] = sum;
}
