// SPDX-License-Identifier: Apache-2.0
// A null pointer with a large index is far from address 0.
// kernel: large_index
// run: -g 16 -l 4 -a null -a zeros:16
kernel void large_index(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = i;
  if (in) out[i] = in[i * 100000 + 5000];
#else
  out[i] = in[i * 100000 + 5000];  // wrong
#endif
}
