// SPDX-License-Identifier: Apache-2.0
// Places behind a loop that lie side by side from row to row, as in a transposition: tiles get rows for them, whose
// values stay in registers, in place of more packets side by side.
// RUN: %clarity compile %s --report --processor znver4 --local 16,8 2>&1 | FileCheck %s
// RUN: %clarity compile %s --report --processor x86-64-v3 --local 16,16 2>&1 | FileCheck %s --check-prefix=NARROW

// CHECK-LABEL: kernel 'powers'
// CHECK: packets of 16 work-items along x, tiles of 16 rows of 1 packet
// CHECK: store float to[x * h + y]: consecutive along y, 16 rows transposed
// NARROW-LABEL: kernel 'powers'
// NARROW: packets of 8 work-items along x, tiles of 8 rows of 1 packet
// NARROW: store float to[x * h + y]: consecutive along y, 8 rows transposed
kernel void powers(global const float* restrict from, global float* restrict to, int n, int h) {
  const int x = get_global_id(0), y = get_global_id(1);
  const float value = from[y * get_global_size(0) + x];
  float sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * value + 0.25f;
  to[x * h + y] = sum;
}

// Lanes along y, which read local memory side by side, and write far apart, between two loops.
// CHECK-LABEL: kernel 'columns'
// CHECK: packets of 8 work-items along y, tiles of 16 rows of 1 packet
// CHECK: store float to[(y + step * 8) * w + x]: consecutive along x, 16 rows transposed
kernel void columns(global const float* restrict from, global float* restrict to, constant float* weights, int w) {
  local float part[16][81];
  const int x = get_global_id(0), y = get_group_id(1) * 64 + get_local_id(1), lx = get_local_id(0),
            ly = get_local_id(1);
  for (int step = 0; step < 10; ++step) part[lx][ly + step * 8] = from[(y + step * 8) * w + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 0; step < 8; ++step) {
    float sum = 0;
    for (int i = 0; i < 17; ++i) sum += weights[i] * part[lx][ly + step * 8 + i];
    to[(y + step * 8) * w + x] = sum;
  }
}

// Four values carried through the loop leave no registers for as many rows.
// CHECK-LABEL: kernel 'four'
// CHECK-NOT: rows transposed
// NARROW-LABEL: kernel 'four'
// NARROW-NOT: rows transposed
kernel void four(global const float* restrict from, global float* restrict to, int n, int h) {
  const int x = get_global_id(0), y = get_global_id(1);
  float a = from[y * get_global_size(0) + x], b = a + 1, c = a + 2, d = a + 3;
  for (int i = 0; i < n; ++i) {
    const float next = a * b + c;
    a = b * d;
    b = c + a;
    c = d * next;
    d = next;
  }
  to[x * h + y] = a + b + c + d;
}
