// SPDX-License-Identifier: Apache-2.0
// Loops whose trip counts are decided by what two loops around them carry on, and by divisions of it: the array is in
// registers when all are unrolled.
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel median --local 64 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel searched --local 64 \
// RUN:   | FileCheck %s --check-prefix=KEPT
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel itself --local 64 \
// RUN:   | FileCheck %s --check-prefix=KEPT
// CHECK-LABEL: define {{.*}}@
// CHECK-NOT: alloca
#define SWAP(a, b)             \
  {                            \
    const float least = min(a, b); \
    b = max(a, b);             \
    a = least;                 \
  }
kernel void median(global const float* in, global float* out) {
  float v[8];
  const int x = get_global_id(0);
  for (int i = 0; i < 8; ++i) v[i] = in[x + i];
  int last = 7;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 3; ++j) {
      --last;
      for (int i = 0; i < (last + 1) / 2; ++i) SWAP(v[i], v[last - i]);
      for (int i = last - 1; i >= (last + 1) / 2; --i) SWAP(v[i], v[last]);
    }
  out[x] = v[0];
}
// An argument decides the trip count: the array stays.
// KEPT-LABEL: define {{.*}}@
// KEPT: alloca
kernel void searched(global const float* in, global float* out, int last) {
  float v[8];
  const int x = get_global_id(0);
  for (int i = 0; i < 8; ++i) v[i] = in[x + i];
  for (int j = 0; j < 3; ++j) {
    --last;
    for (int i = 0; i < (last + 1) / 2; ++i) SWAP(v[i], v[last - i]);
  }
  out[x] = v[0];
}
// A loop decides its own trip count by what it carries on, after more iterations than can be followed: no loop that is
// unrolled makes it a constant.
kernel void itself(global const float* in, global float* out, int times) {
  float v[8];
  const int x = get_global_id(0);
  for (int i = 0; i < 8; ++i) v[i] = in[x + i];
  for (int i = 0; i < times; ++i) {
    uint n = 1;
    do {
      v[n & 7] += i;
      n = (n * 5 + 1) & 1023;
    } while (n != 1);
  }
  for (int i = 1; i < 8; ++i) v[0] = v[0] * 3 + v[i];
  out[x] = v[0];
}
