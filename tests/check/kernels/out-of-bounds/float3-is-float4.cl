// SPDX-License-Identifier: Apache-2.0
// Packed triples are read through a pointer to float3, which has the size of float4.
// kernel: float3_is_float4
// run: -g 16 -l 4 -a iota:48 -a zeros:16
kernel void float3_is_float4(global const float *in, global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const float3 v = vload3(i, in);
#else
  const float3 v = ((global const float3 *)in)[i];  // wrong
#endif
  out[i] = v.x + v.y + v.z;
}
