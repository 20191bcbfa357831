// SPDX-License-Identifier: Apache-2.0
// rsqrt() and 1 / sqrt(x) may be off by 2 ulp, sqrt() by 3: one instruction. Where divisions and roots are to be exact,
// that of rsqrt() alone is.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel roots | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel roots -- -cl-fp32-correctly-rounded-divide-sqrt \
// RUN:   | FileCheck %s --check-prefix=EXACT
// CHECK-NOT: sqrt.rn
// CHECK: rsqrt.approx.f32
// CHECK: rsqrt.approx.f32
// CHECK: {{[^r]}}sqrt.approx.f32
// CHECK-NOT: rsqrt
// EXACT: rsqrt.approx.f32
// EXACT-NOT: approx
// EXACT: sqrt.rn.f32
// EXACT-NOT: approx
kernel void roots(global float* a, global float* b, global float* c) {
  size_t i = get_global_id(0);
  a[i] = rsqrt(a[i]);
  b[i] = 1.0f / sqrt(b[i]);
  c[i] = sqrt(c[i]);
}
