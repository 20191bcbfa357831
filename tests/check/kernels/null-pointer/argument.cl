// SPDX-License-Identifier: Apache-2.0
// An argument that is no buffer is read.
// kernel: argument
// run: -g 16 -l 4 -a null -a zeros:16
kernel void argument(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = in ? in[i] : 0;
#else
  out[i] = in[i];  // wrong
#endif
}
