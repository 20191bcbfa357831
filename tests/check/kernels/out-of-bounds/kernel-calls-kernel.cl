// SPDX-License-Identifier: Apache-2.0
// A kernel calls another one with an offset that is too large.
// kernel: kernel_calls_kernel
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void inner(global const int *in, global int *out, int shift) {
  int i = get_global_id(0);
  out[i] = in[i + shift];  // wrong
}
kernel void kernel_calls_kernel(global const int *in, global int *out) {
#ifdef RIGHT
  inner(in, out, 0);
#else
  inner(in, out, 2);
#endif
}
