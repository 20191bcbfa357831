// SPDX-License-Identifier: Apache-2.0
// vload3 of the last point, of which a coordinate is missing.
// kernel: vload3_last
// run: -g 8 -l 8 -a iota:23 -a zeros:8
kernel void vload3_last(global const float *points, global float *out) {
  const size_t i = get_global_id(0);
#ifdef RIGHT
  if (i == 7) return;
#endif
  out[i] = dot(vload3(i, points), (float3)(1.0f));  // wrong
}
