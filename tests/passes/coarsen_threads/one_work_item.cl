// SPDX-License-Identifier: Apache-2.0
// Loops of one work-item are no reason to give a thread several: neighbours load nothing there.
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel first --local 64 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel chosen --local 64 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel all --local 64 \
// RUN:   | FileCheck %s --check-prefix=TILE
//
// The loop is unrolled, so that several loads are on their way.
// CHECK-COUNT-8: load float
// CHECK: cells=1,1,1 threads=0,0,0
// TILE: cells=4,1,1

kernel void first(global const float *in, global float *out, int n) {
  if (get_global_id(0) != 0) return;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  out[0] = sum;
}

kernel void chosen(global const float *in, global float *out, int n, int item) {
  const int id = get_local_id(0);
  if (item == id) {
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += in[i];
    out[get_group_id(0)] = sum;
  }
}

kernel void all(global const float *in, global float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  out[get_global_id(0)] = sum;
}
