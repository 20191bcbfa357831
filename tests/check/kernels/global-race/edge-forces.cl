// SPDX-License-Identifier: Apache-2.0
// Each edge adds its force to both of its ends.
// kernel: edge_forces
// run: -g 16 -l 4 -a iota:16 -a zeros:17
kernel void edge_forces(global const float *in, global float *force) {
  const int e = get_global_id(0);
#ifdef RIGHT
  force[e] += in[e];
#else
  force[e] += in[e];  // wrong
  force[e + 1] -= in[e];  // wrong
#endif
}
