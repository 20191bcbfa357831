// SPDX-License-Identifier: Apache-2.0
// Loads of the program's constants are no reason to give a thread several work-items: most become immediate numbers.
// Those of an argument in constant memory are.
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel lattice --local 16,16 --global 512,512 -- \
// RUN:   -cl-std=CL3.0 | FileCheck %s --check-prefix=LATTICE
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel weighted --local 16,16 --global 512,512 -- \
// RUN:   -cl-std=CL3.0 | FileCheck %s --check-prefix=WEIGHTED
// LATTICE: cells=1,1,1
// WEIGHTED: cells=2,8,1
constant int steps[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};

kernel void lattice(global const float* in, global float* out, int width) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int i = 0; i < 9; ++i) sum += in[(i * width + y) * width + (x + steps[i] + width) % width] * steps[(i + 3) % 9];
  out[y * width + x] = sum;
}

kernel void weighted(global const float* in, global float* out, int width, constant float* weights) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int i = 0; i < 9; ++i) sum += in[(i * width + y) * width + (x + i + width) % width] * weights[i];
  out[y * width + x] = sum;
}

// Neighbours along x may load from anywhere, those along y are a row apart, whose length is known at run time: lanes
// stay along x, as programs mean them to.
// RUN: %clarity compile %s --processor sm_90 --report --kernel borders --local 64,1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BORDERS
// BORDERS: kernel 'borders'
// BORDERS-NOT: neighbouring threads differ in id 1
kernel void borders(global const float* in, constant float* weights, global float* out, int n, int width, int stride) {
  const int x = get_global_id(0), y = get_global_id(1);
  const int from = x * stride + n / 2 >= width ? x * stride + n / 2 + 1 - width : 0;
  const int to = x * stride - n / 2 < 0 ? x * stride + n / 2 + 1 : n;
  float sum = 0;
  for (int i = from; i < to; ++i) sum += weights[i] * in[x * stride + n / 2 - i + y * width];
  out[x + y * get_global_size(0)] = sum;
}
