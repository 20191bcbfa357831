// SPDX-License-Identifier: Apache-2.0
// Three of the four components of a vector are set.
// kernel: one_component
// run: -g 4 -l 4 -a iota:4 -a zeros:16
kernel void one_component(global const float *in, global float4 *out) {
  const int i = get_global_id(0);
  float4 v;  // also
  v.x = in[i];
  v.y = v.x + 1.0f;
  v.z = v.y * 2.0f;
#ifdef RIGHT
  v.w = 0.0f;
#endif
  out[i] = v;  // wrong
}
