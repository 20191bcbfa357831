// SPDX-License-Identifier: Apache-2.0
// Bodies move while others still read where they are.
// kernel: nbody_in_place
// run: -g 16 -l 4 -a iota:64 -a 0.1
kernel void nbody_in_place(global float4 *body, float dt) {
  const int i = get_global_id(0);
  float4 force = (float4)(0.0f);
#ifdef RIGHT
  force = body[i];
#else
  for (int k = 0; k < 16; ++k)
    force += body[k] - body[i];  // wrong
#endif
  body[i] += force * dt;  // wrong
}
