// SPDX-License-Identifier: Apache-2.0
// Vectors of half are computed two elements at a time.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel packed --local 64 -- -cl-std=CL3.0 | FileCheck %s
// CHECK: fma.rn.f16x2
// CHECK: {{add|fma}}.rn.f16x2
// CHECK-NOT: cvt.f32.f16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void packed(global const half2* a, global const half2* b, global half2* c) {
  const int i = get_global_id(0);
  c[i] = fma(a[i], b[i], c[i]) + b[i];
}
