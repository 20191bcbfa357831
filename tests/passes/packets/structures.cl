// SPDX-License-Identifier: Apache-2.0
// The members of a structure are accessed together, integers and floats; a structure that is only copied from an
// unrelated place is copied by one work-item after the other, and not by vectors that LLVM makes of the loop.
// RUN: %clarity compile %s --report --processor znver5 2>&1 | FileCheck %s
// RUN: %clarity compile %s --emit native-ir --kernel moved --processor znver5 | FileCheck %s --check-prefix=ALONE

typedef struct {
  float x, y, z;
  int id;
} Particle;

// CHECK-LABEL: kernel 'update'
// CHECK: load {{.*}}: 4 consecutive elements per work-item, whole vectors
// CHECK: store {{.*}}: 4 consecutive elements per work-item, whole vectors
kernel void update(global Particle* p, float t) {
  size_t i = get_global_id(0);
  Particle one = p[i];
  one.x += one.z * t;
  one.y -= t;
  one.z *= t;
  one.id++;
  p[i] = one;
}

typedef struct {
  float x, y, z, w;
  uint key;
} Item;

// CHECK-LABEL: kernel 'moved'
// CHECK: one work-item at a time, as packets would cost
// ALONE-NOT: gather
// ALONE-NOT: <{{4|8|16}} x i64>
// ALONE: ret void
kernel void moved(global const Item* from, global const uint* place, global Item* to) {
  size_t i = get_global_id(0);
  Item one = from[place[i]];
  to[i] = one;
}

// CHECK-LABEL: kernel 'conjugate'
// CHECK: load float in[at]: 2 consecutive elements per work-item, whole vectors
// CHECK: store float out[at]: 2 consecutive elements per work-item, whole vectors
// Between the stores the other buffer is read, which has no memory in common with them.
__kernel void conjugate(__global const float* restrict in, __global float* restrict out) {
  int at = 2 * get_global_id(0);
  out[at] = in[at];
  out[at + 1] = -in[at + 1];
}
