// SPDX-License-Identifier: Apache-2.0
// A half does not fit into a char.
// kernel: half_to_char
// run: -g 4 -l 4 -a iota:4 -a zeros:4
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void half_to_char(global const half *in, global char *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = (char)in[i];
#else
  out[i] = (char)(in[i] * (half)100);  // wrong
#endif
}
