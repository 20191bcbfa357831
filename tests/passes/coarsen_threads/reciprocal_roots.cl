// SPDX-License-Identifier: Apache-2.0
// rsqrt() and 1 / sqrt(x) may be off by 2 ulp, sqrt() by 3: one instruction, unless divisions and roots are to be
// exact.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel roots | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel roots -- -cl-fp32-correctly-rounded-divide-sqrt \
// RUN:   | FileCheck %s --check-prefix=EXACT
// CHECK-NOT: sqrt.rn
// CHECK: rsqrt.approx.f32
// CHECK: rsqrt.approx.f32
// CHECK: {{[^r]}}sqrt.approx.f32
// CHECK-NOT: rsqrt
// EXACT-NOT: rsqrt
// EXACT: sqrt.rn.f32
kernel void roots(global float* a, global float* b, global float* c) {
  size_t i = get_global_id(0);
  a[i] = rsqrt(a[i]);
  b[i] = 1.0f / sqrt(b[i]);
  c[i] = sqrt(c[i]);
}
