// SPDX-License-Identifier: Apache-2.0
// C++ for OpenCL: templates, references and member functions leave nothing behind.
// RUN: %clarity compile %s --processor sm_90 --emit asm --local 64 -- -cl-std=CLC++2021 | FileCheck %s
// CHECK: .entry clarity_kernel
// CHECK-NOT: call
// CHECK: fma.rn.f32
// CHECK: ret;
template <class T>
struct Line {
  T slope, offset;
  T at(const T& x) const __generic { return fma(slope, x, offset); }
};
kernel void line(global float* a) {
  const Line<float> one{2.5f, 1.0f};
  auto twice = [](float x) { return x * 2; };
  a[get_global_id(0)] = twice(one.at(a[get_global_id(0)]));
}
