// SPDX-License-Identifier: Apache-2.0
// A thread has as many work-items as its loops have registers for: eight sums of four floats,
// sixteen sums of one.
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel sums --local 16,16 --global 1920,1080 -- \
// RUN:   -cl-std=CL3.0 -D T=float4 | FileCheck %s --check-prefix=EIGHT
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel sums --local 16,16 --global 1920,1080 -- \
// RUN:   -cl-std=CL3.0 -D T=float | FileCheck %s --check-prefix=SIXTEEN
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel sums --local 16,16 --global 2048,1024 -- \
// RUN:   -cl-std=CL3.0 -D T=float4 | FileCheck %s --check-prefix=WHOLE
// EIGHT: cells=1,8,1 {{.*}}guarded
// SIXTEEN: cells=2,8,1 {{.*}}guarded
// WHOLE: cells=1,8,1
kernel void sums(global const T* in, global T* out, constant float* weights, int count, int width) {
  int x = get_global_id(0), y = get_global_id(1);
  T sum = 0;
  for (int i = 0; i < count; ++i) sum += weights[i] * in[(y + i) * width + x];
  out[y * width + x] = sum;
}
