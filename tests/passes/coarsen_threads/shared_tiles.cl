// SPDX-License-Identifier: Apache-2.0
// Neighbouring work-groups fill a tile with the same rows: a block executes four of them, with one such tile, and a
// thread loads its elements once for all four.
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel product --local 16,16 --global 2048,2048 \
// RUN:   | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel own --local 16,16 --global 2048,2048 \
// RUN:   | FileCheck %s --check-prefix=OWN
// RUN: %clarity compile %s --processor sm_90 --report --local 16,16 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REPORT

// CHECK: cells=1,8,1 threads=16,2,1 groups=4
// REPORT: 1 x 8 work-items of each of 4 work-groups{{.*}}work-groups fill local memory with the same
kernel void product(global const float* a, global const float* b, global float* c, int n) {
  local float rows[16][16], columns[16][16];
  const int x = get_global_id(0), y = get_global_id(1), column = get_local_id(0), row = get_local_id(1);
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    rows[row][column] = a[y * n + k + column];
    columns[row][column] = b[(k + row) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; ++i) sum += rows[row][i] * columns[i][column];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}

// Both tiles have what is the work-group's own: each executes a block.
// OWN: groups=1
kernel void own(global const float* a, global const float* b, global float* c, int n) {
  local float rows[16][16], columns[16][16];
  const int x = get_global_id(0), y = get_global_id(1), column = get_local_id(0), row = get_local_id(1);
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    rows[row][column] = a[y * n + k + x];
    columns[row][column] = b[(k + row) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; ++i) sum += rows[row][i] * columns[i][column];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}
