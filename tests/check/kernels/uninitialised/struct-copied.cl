// SPDX-License-Identifier: Apache-2.0
// A member that was never set goes through two copies of its structure.
// kernel: struct_copied
// run: -g 4 -l 4 -a zeros:4
typedef struct { float3 position; float mass; int id; } Body;
Body make(int id) {
  Body b;
  b.position = (float3)(id);
  b.id = id;
#ifdef RIGHT
  b.mass = 1;
#endif
  return b;
}
kernel void struct_copied(global float *out) {
  Body all[2];
  int i = get_global_id(0);
  all[0] = make(i);
  all[1] = all[0];
  Body c = all[1];
  out[i] = c.position.x * c.mass;  // wrong
}
