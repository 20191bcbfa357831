// SPDX-License-Identifier: Apache-2.0
// Each work-item writes its own element, and reads its neighbour's through another argument.
// kernel: shifted
// run: -g 16 -l 4 -a iota:17 -a same:0
kernel void shifted(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = in[i] * 2;
#else
  out[i] = in[i + 1] * 2;  // wrong
#endif
}
