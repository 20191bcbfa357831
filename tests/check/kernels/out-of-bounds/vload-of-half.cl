// SPDX-License-Identifier: Apache-2.0
// The last work-item loads the half behind the last one.
// kernel: vload_of_half
// run: -g 64 -l 16 -a iota:64 -a zeros:64
kernel void vload_of_half(global const half *in, global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = vload_half(min(i + 1, 63), in);
#else
  out[i] = vload_half(i + 1, in);  // wrong
#endif
}
