// SPDX-License-Identifier: Apache-2.0
// A periodic border by a remainder that is negative on the left.
// kernel: negative_modulo
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void negative_modulo(global const int *in, global int *out) {
  const int i = get_global_id(0), n = 8;
#ifdef RIGHT
  const int left = (i - 1 + n) % n;
#else
  const int left = (i - 1) % n;
#endif
  out[i] = in[left];  // wrong
}
