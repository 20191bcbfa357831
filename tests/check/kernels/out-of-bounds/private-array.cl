// SPDX-License-Identifier: Apache-2.0
// A private table has 8 entries, and the index is masked for 16.
// kernel: private_array
// run: -g 64 -l 16 -a iota:64 -a zeros:64
kernel void private_array(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int table[8];
  for (int k = 0; k < 8; ++k) table[k] = k * k;
#ifdef RIGHT
  out[i] = table[in[i] & 7];
#else
  out[i] = table[in[i] & 15];  // wrong
#endif
}
