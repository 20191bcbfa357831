// SPDX-License-Identifier: Apache-2.0
// A buffer of bytes is read with vload_half at an odd byte.
// kernel: half_pointer
// run: -g 8 -l 8 -a iota:32 -a zeros:8
kernel void half_pointer(global const uchar *bytes, global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = vload_half(i, (global const half *)(bytes + 2));
#else
  out[i] = vload_half(i, (global const half *)(bytes + 1));  // wrong
#endif
}
