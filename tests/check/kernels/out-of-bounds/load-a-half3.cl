// SPDX-License-Identifier: Apache-2.0
// Three halves take the room of four, which the last ones do not have.
// kernel: load_a_half3
// run: -g 4 -l 4 -a zeros:15 -a zeros:4
kernel void load_a_half3(global const half *in, global float *out) {
  const size_t i = get_global_id(0);
#ifdef RIGHT
  if (i == 3) return;
#endif
  const float3 v = vloada_half3(i, in);  // wrong
  out[i] = v.x + v.y + v.z;
}
