// SPDX-License-Identifier: Apache-2.0
// Loops whose trip counts are decided by what two loops around them carry on, and by divisions of it: the array is in
// registers when all are unrolled.
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel median --local 64 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel searched --local 64 \
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
