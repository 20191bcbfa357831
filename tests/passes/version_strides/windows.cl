// SPDX-License-Identifier: Apache-2.0
// Windows that move by a number of the launch, over which each work-item loops: most often they move by one.
// RUN: %clarity compile %s --processor x86-64-v4 --report 2>&1 | FileCheck %s

// CHECK: kernel 'clipped'
// CHECK-NEXT: loop split into interior
// CHECK: loop versioned for strides of 1
// CHECK: , interior
// CHECK-NEXT: uniform loop
// CHECK-NEXT: load float weights[k]: uniform
// CHECK-NEXT: load float in[middle - k + y * width]: consecutive
kernel void clipped(global const float* in, constant float* weights, global float* out, int width, int n, int step) {
  int x = get_global_id(0), y = get_global_id(1), middle = x * step + n / 2;
  int from = middle >= width ? middle + 1 - width : 0;
  int to = x * step - n / 2 < 0 ? middle + 1 : n;
  float sum = 0;
  for (int k = from; k < to; ++k) sum += weights[k] * in[middle - k + y * width];
  out[x + y * get_global_size(0)] = sum;
}

// A layer of a neural network: the window moves along both dimensions.
// CHECK: kernel 'layer'
// CHECK: loop versioned for strides of 1
// CHECK: load float in[(y * step + j) * width + x * step + k]: consecutive
kernel void layer(global const float* in, constant float* weights, global float* out, int width, int n, int step) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < n; ++k) sum += weights[j * n + k] * in[(y * step + j) * width + x * step + k];
  out[x + y * get_global_size(0)] = sum;
}

// A row that is longer than what the loop reads of it looks like a window that neither ends nor moves along y.
// CHECK: kernel 'rows'
// CHECK-NOT: versioned
kernel void rows(global const float* a, global const float* x, global float* y, int n, int lda) {
  int row = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * lda + k] * x[k];
  y[row] = sum;
}
