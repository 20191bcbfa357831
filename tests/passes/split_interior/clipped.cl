// SPDX-License-Identifier: Apache-2.0
// Windows whose bounds are counted from the work-item and clipped by the row's ends: in the interior they are whole,
// and neighbours access neighbouring elements. An index that falls with the work-item is affine there, as others are.
// RUN: %clarity compile %s --processor x86-64-v4 --report 2>&1 | FileCheck %s

// CHECK: kernel 'extremes'
// CHECK: , interior
// CHECK-NEXT: uniform loop
// CHECK-NEXT: load float in[x + k]: consecutive
kernel void extremes(global const float* in, global float* out, int width, int radius) {
  int x = get_global_id(0);
  float sum = 0;
  for (int k = max(-radius, -x); k <= min(radius, width - 1 - x); ++k) sum += in[x + k];
  out[x] = sum;
}

// CHECK: kernel 'conditions'
// CHECK: , interior
// CHECK-NEXT: uniform loop
// CHECK-NEXT: load float in[x - radius + k]: consecutive
kernel void conditions(global const float* in, global float* out, int width, int radius) {
  int x = get_global_id(0);
  int from = x - radius < 0 ? radius - x : 0;
  int to = x + radius >= width ? width - x + radius : 2 * radius + 1;
  float sum = 0;
  for (int k = from; k < to; ++k) sum += in[x - radius + k];
  out[x] = sum;
}

// CHECK: kernel 'mirrored'
// CHECK: , interior
// CHECK: load float in[max(width - 1 - x - radius, 0)]: consecutive in reverse
kernel void mirrored(global const float* in, global float* out, int width, int radius) {
  int x = get_global_id(0);
  out[x] = in[max(width - 1 - x - radius, 0)];
}

// A convolution walks through its window backwards: what rises with the work-item are ends of the window, too.
// CHECK: kernel 'backwards'
// CHECK: , interior
// CHECK-NEXT: uniform loop
// CHECK-NEXT: load float weights[k]: uniform
// CHECK-NEXT: load float in[x + n / 2 - k]: consecutive
kernel void backwards(global const float* in, constant float* weights, global float* out, int width, int n) {
  int x = get_global_id(0);
  int from = x + n / 2 >= width ? x + n / 2 + 1 - width : 0;
  int to = x - n / 2 < 0 ? x + n / 2 + 1 : n;
  float sum = 0;
  for (int k = from; k < to; ++k) sum += weights[k] * in[x + n / 2 - k];
  out[x] = sum;
}

// And places of the row where the loop counts these.
// CHECK: kernel 'places'
// CHECK: , interior
// CHECK: load float in[k]: consecutive
kernel void places(global const float* in, constant float* weights, global float* out, int width, int n) {
  int x = get_global_id(0);
  float sum = 0;
  for (int k = max(0, x - n); k < min(width, x + n); ++k) sum += in[k];
  out[x] = sum;
}
