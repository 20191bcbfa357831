// SPDX-License-Identifier: Apache-2.0
// A kernel that would become too large with all its loops along rows unrolled has a few iterations of each unrolled,
// and more of the first one of the interior, where most work-items are.
// RUN: %clarity compile %s --report --processor x86-64-v4 2>&1 | FileCheck %s
// CHECK-LABEL: kernel 'correlate'
// CHECK: loop split into interior and boundary
// CHECK: line 23: loop unrolled by 16
// CHECK: line 23: loop unrolled by 4
// CHECK: line 33: loop unrolled by 4
// CHECK: region 1
// CHECK: line 24: load uchar a[row + i]: 4 consecutive elements per work-item
// CHECK: interior
// CHECK: line 24: load uchar a[row + i]: 16 consecutive elements per work-item
// CHECK: line 34: load uchar b[row + i]: 4 consecutive elements per work-item
kernel void correlate(global const uchar *a, global const uchar *b, global float *first, global float *second, int n,
                      int count) {
  int id = get_global_id(0);
  const bool isFirst = id < 500 * n;
  if (!isFirst) id -= 500 * n;
  const int row = id % 500 * 225, other = id / 500 * 225;
  int s1 = 0, s2 = 0, n1 = 0, n2 = 0, product = 0;
  if (isFirst && id % 500 < count) {
    for (int i = 0; i < 225; i++) {
      s1 += a[row + i];
      s2 += b[other + i];
      n1 += a[row + i] * a[row + i];
      n2 += b[other + i] * b[other + i];
      product += a[row + i] * b[other + i];
    }
    first[id] = sqrt((float)n1 * n2) * product - s1 * s2;
  }
  if (!isFirst && id % 500 < count) {
    for (int i = 0; i < 225; i++) {
      s1 += b[row + i];
      s2 += b[other + i];
      n1 += b[row + i] * b[row + i];
      n2 += b[other + i] * b[other + i];
      product += b[row + i] * b[other + i];
    }
    second[id] = sqrt((float)n1 * n2) * product - s1 * s2;
  }
}
