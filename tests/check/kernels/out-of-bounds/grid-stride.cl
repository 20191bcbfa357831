// SPDX-License-Identifier: Apache-2.0
// A loop with the stride of the whole range compares with <= in place of <.
// kernel: grid_stride
// run: -g 16 -l 4 -a zeros:64 -a 64
kernel void grid_stride(global long *out, int n) {
#ifdef RIGHT
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = i;
#else
  for (int i = get_global_id(0); i <= n; i += get_global_size(0)) out[i] = i;  // wrong
#endif
}
