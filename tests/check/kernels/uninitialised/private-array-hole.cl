// SPDX-License-Identifier: Apache-2.0
// A histogram of one work-item is not set to zero.
// kernel: private_array_hole
// run: -g 4 -l 4 -a iota:64 -a zeros:32 --type 0=uchar
kernel void private_array_hole(global const uchar *in, global int *out) {
  const int i = get_global_id(0);
  int bins[8];
#ifdef RIGHT
  for (int b = 0; b < 8; ++b) bins[b] = 0;
#else
  for (int b = 0; b < 7; ++b) bins[b] = 0;
#endif
  for (int k = 0; k < 16; ++k) bins[in[16 * i + k] & 7]++;
  for (int b = 0; b < 8; ++b) out[8 * i + b] = bins[b];  // wrong
}
