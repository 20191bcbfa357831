// SPDX-License-Identifier: Apache-2.0
// Divisions stay open where the optimiser moves them: ahead of a branch, behind it, and in functions of the library.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel ahead | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel behind | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel chosen | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel library | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel ahead -- -cl-fp32-correctly-rounded-divide-sqrt \
// RUN:   | FileCheck %s --check-prefix=EXACT
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel merged -- -cl-fp32-correctly-rounded-divide-sqrt \
// RUN:   | FileCheck %s --check-prefix=MERGED
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel ahead -- -cl-fp32-correctly-rounded-divide-sqrt \
// RUN:   -cl-fast-relaxed-math | FileCheck %s --check-prefix=EXACT
// CHECK-NOT: {{(div|rcp|sqrt)\.rn}}
// CHECK: {{(div.full|approx)}}
// CHECK-NOT: {{(div|rcp|sqrt)\.rn}}
// EXACT: div.rn.f32
kernel void ahead(global float* a, float y) {
  size_t i = get_global_id(0);
  float quotient = 0;
  if (a[i] != 0) quotient = y / a[i];
  a[i] = quotient;
}
kernel void behind(global float* a, float y) {
  size_t i = get_global_id(0);
  if (a[i] > 0)
    a[i] = y / a[i];
  else
    a[i] = y / (a[i] - 1);
}
kernel void chosen(global float* a) {
  size_t i = get_global_id(0);
  a[i] = a[i] > 1 ? 1 / a[i] : a[i];
}
kernel void library(global float4* a, global float* b) {
  size_t i = get_global_id(0);
  a[i] = normalize(a[i]);
  b[i] = smoothstep(b[2 * i], b[2 * i + 1], atanpi(b[i]) + atan2pi(b[i], 2.0f) + length(a[i].xyz));
}
// The library's division, of which LLVM makes one for both branches, is open where those of the program are exact; it
// is never div.approx, which is 0 for large divisors.
// MERGED-NOT: div.approx
// MERGED: div.full.f32
// MERGED-NOT: div.approx
kernel void merged(global float* a, float y) {
  size_t i = get_global_id(0);
  if (a[i] > 0)
    a[i] = half_divide(a[i + 1], y);
  else
    a[i] = half_divide(a[i + 2], y);
}
