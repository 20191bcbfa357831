// SPDX-License-Identifier: Apache-2.0
// min, max and clamp of float are an instruction for each choice: they are undefined for NaN. A comparison in the
// source says which operand it chooses then, and stays.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel chosen | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel vectors | FileCheck %s --check-prefix=VECTORS
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel compared | FileCheck %s --check-prefix=COMPARED
// CHECK-NOT: {{setp|selp}}
// CHECK: max.f32
// CHECK-NEXT: min.f32
// CHECK-NOT: {{setp|selp}}
// CHECK: min.f32
// CHECK-NOT: {{setp|selp}}
kernel void chosen(global float* a, float low, float high) {
  size_t i = get_global_id(0);
  a[2 * i] = clamp(a[2 * i], low, high);
  a[2 * i + 1] = min(a[2 * i + 1], high);
}
// VECTORS-COUNT-4: max.f32
// VECTORS-NOT: setp
kernel void vectors(global float4* a, float low) {
  size_t i = get_global_id(0);
  a[i] = max(a[i], low);
}
// COMPARED: setp.lt.f32
// COMPARED: selp.f32
kernel void compared(global float* a, float y) {
  size_t i = get_global_id(0);
  a[i] = a[i] < y ? a[i] : y;
}
