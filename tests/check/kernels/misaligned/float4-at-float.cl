// SPDX-License-Identifier: Apache-2.0
// A float4 is read at an element that is no multiple of four.
// kernel: float4_at_float
// run: -g 8 -l 8 -a iota:64 -a zeros:8
kernel void float4_at_float(global const float *in, global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const float4 v = vload4(0, in + i + 1);
#else
  const float4 v = *(global const float4 *)(in + i + 1);  // wrong
#endif
  out[i] = v.x + v.w;
}
