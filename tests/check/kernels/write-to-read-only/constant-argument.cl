// SPDX-License-Identifier: Apache-2.0
// A buffer that the kernel has as constant is written through an integer.
// kernel: constant_argument
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void constant_argument(constant int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = in[i];
#else
  ((global int *)(size_t)in)[i] = i;  // wrong
#endif
}
