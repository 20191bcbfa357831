// SPDX-License-Identifier: Apache-2.0
// vload4 counts in vectors, the caller in elements.
// kernel: vload_count
// run: -g 16 -l 4 -a iota:64 -a zeros:16
kernel void vload_count(global const float *in, global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const float4 v = vload4(i, in);
#else
  const float4 v = vload4(i * 4, in);  // wrong
#endif
  out[i] = dot(v, (float4)(1.0f));
}
