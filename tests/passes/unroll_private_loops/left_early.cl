// SPDX-License-Identifier: Apache-2.0
// Loops that may be left early are unrolled up to the bound that a counter sets, and what uses the counter behind them
// is repeated for each way out; windows around an id have a known size. The arrays are gone.
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel insert --local 64 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel least --local 64 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel bubbles --local 64 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel window --local 64 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel chosen --local 64 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel unbounded --local 64 \
// RUN:   | FileCheck %s --check-prefix=KEPT
// RUN: %clarity compile %s --emit native-ir --kernel window | FileCheck %s --check-prefix=PACKETS
// CHECK-LABEL: define {{.*}}@
// CHECK-NOT: {{alloca|addrspace\(5\)}}
// PACKETS-NOT: alloca
kernel void insert(global const float* in, global float* out) {
  float v[9];
  const int g = get_global_id(0);
  for (int i = 0; i < 9; ++i) v[i] = in[g + i];
  for (int i = 1; i < 9; ++i) {
    const float key = v[i];
    int j = i - 1;
    while (j >= 0 && v[j] > key) {
      v[j + 1] = v[j];
      j = j - 1;
    }
    v[j + 1] = key;
  }
  for (int i = 0; i < 9; ++i) out[g * 9 + i] = v[i];
}
kernel void least(global const float* in, global float* out, int n) {
  float best[5];
  const int g = get_global_id(0);
  for (int i = 0; i < 5; ++i) best[i] = INFINITY;
  for (int k = 0; k < n; ++k) {
    const float value = in[k] * in[g];
    if (value >= best[4]) continue;
    int j = 4;
    for (; j > 0 && best[j - 1] > value; --j) best[j] = best[j - 1];
    best[j] = value;
  }
  for (int i = 0; i < 5; ++i) out[g * 5 + i] = best[i];
}
kernel void bubbles(global const float* in, global float* out) {
  float v[6];
  const int g = get_global_id(0);
  for (int i = 0; i < 6; ++i) v[i] = in[g + i];
  bool changed = true;
  for (int last = 5; last > 0 && changed; --last) {
    changed = false;
    for (int i = 0; i < last; ++i)
      if (v[i] > v[i + 1]) {
        const float value = v[i];
        v[i] = v[i + 1];
        v[i + 1] = value;
        changed = true;
      }
  }
  out[g] = v[3];
}
kernel void window(global const float* in, global float* out, int pitch) {
  const int x = get_global_id(0), y = get_global_id(1);
  float v[9];
  int n = 0;
  for (int j = y - 1; j <= y + 1; ++j)
    for (int i = x - 1; i < x + 2; ++i) v[n++] = in[j * pitch + i];
  out[y * pitch + x] = v[4] * 9 - v[0] - v[1] - v[2] - v[3] - v[5] - v[6] - v[7] - v[8];
}
// Behind the loops an argument chooses an element: select-elements has a selection for it.
kernel void chosen(global const float* in, global float* out, int rank) {
  float v[5];
  const int g = get_global_id(0);
  for (int i = 0; i < 5; ++i) v[i] = in[g + i];
  for (int i = 1; i < 5; ++i)
    for (int j = i; j > 0 && v[j - 1] > v[j]; --j) {
      const float value = v[j];
      v[j] = v[j - 1];
      v[j - 1] = value;
    }
  out[g] = v[2 - rank];
}
// An argument bounds the loop: the array stays.
// KEPT: alloca
kernel void unbounded(global const float* in, global float* out, int n) {
  float v[32];
  const int g = get_global_id(0);
  for (int i = 0; i < 32; ++i) v[i] = in[g + i];
  int j = n;
  while (j > 0 && v[j - 1] > v[j]) --j;
  for (int i = 0; i < 32; ++i) out[g * 32 + (i ^ j)] = v[i ^ j];
}
