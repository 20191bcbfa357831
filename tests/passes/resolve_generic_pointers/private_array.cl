// SPDX-License-Identifier: Apache-2.0
// A private array that a function is given by a generic pointer is kept in registers.
// RUN: %clarity compile %s --emit native-ir --local 64 -o - -- -cl-std=CL3.0 | FileCheck %s
// RUN: %clarity compile %s --emit native-ir --local 64 -o - -- -cl-std=CL3.0 \
// RUN:   -cl-clarity-disable=resolve-generic-pointers,select-elements | FileCheck %s --check-prefix=MEMORY

// CHECK-LABEL: define void @clarity_entry
// CHECK-NOT: alloca
// CHECK: fsub <
// MEMORY: alloca
static void combined(float* v) {
  const float a = v[0];
  v[0] = a + v[1];
  v[1] = a - v[1];
}

kernel void butterfly(global float* x, uint apart) {
  const size_t i = get_global_id(0);
  float v[2];
  for (uint r = 0; r < 2; ++r) v[r] = x[i + r * apart];
  combined(v);
  for (uint r = 0; r < 2; ++r) x[i + r * apart] = v[r];
}
