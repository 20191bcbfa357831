// SPDX-License-Identifier: Apache-2.0
// Packed coordinates are read through float3 pointers.
// kernel: float3_array_of_host
// run: -g 8 -l 8 -a iota:32 -a zeros:8
kernel void float3_array_of_host(global const float *xyz, global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const float3 p = vload3(i, xyz);
#else
  const float3 p = ((global const float3 *)xyz)[i + 1];  // wrong
#endif
  out[i] = p.x + p.y + p.z;
}
