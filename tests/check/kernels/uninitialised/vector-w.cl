// SPDX-License-Identifier: Apache-2.0
// The fourth component of a position is never set and takes part in a length.
// kernel: vector_w
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void vector_w(global const float *in, global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  float4 p = (float4)(0.0f);
#else
  float4 p;  // also
#endif
  p.x = in[i];
  p.y = 1.0f;
  p.z = 2.0f;
  out[i] = dot(p, p);  // wrong
}
