// SPDX-License-Identifier: Apache-2.0
// The square of y is computed once an iteration: for the test of one iteration and the difference in the next.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel escape --local 16,16 | FileCheck %s

// CHECK: $L__BB0_2:
// CHECK: fma.rn.f32
// CHECK: mul.rn.f32
// CHECK-NOT: mul.rn.f32
// CHECK: bra
kernel void escape(global int* out, int width, float dx, int most) {
  const int px = get_global_id(0), py = get_global_id(1);
  const float cx = px * dx, cy = py * dx;
  float x = 0, y = 0;
  int i = 0;
  while (i < most && x * x + y * y <= 4.0f) {
    const float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++i;
  }
  out[py * width + px] = i;
}
