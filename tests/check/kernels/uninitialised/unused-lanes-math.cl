// SPDX-License-Identifier: Apache-2.0
// A component that was never set is computed with, and used.
// kernel: unused_lanes_math
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void unused_lanes_math(global const float *in, global float *out) {
  const int i = get_global_id(0);
  float4 c;  // also
  c.x = in[i];
  c.y = 1;
  c = sqrt(c) + 1.0f;
#ifdef RIGHT
  out[i] = c.x + c.y;
#else
  out[i] = c.x + c.z;  // wrong
#endif
}
