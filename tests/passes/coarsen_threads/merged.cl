// SPDX-License-Identifier: Apache-2.0
// A thread of an NVIDIA GPU executes several work-items of a matrix product: rows share what lies along x, columns
// what lies along y. Four columns of a thread are neighbours, so that they are one vector load.
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel product --local 16,16 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel product --local 16,16 \
// RUN:   | FileCheck %s --check-prefix=PTX
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel transposed --local 16,16 \
// RUN:   | FileCheck %s --check-prefix=SWAPPED
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel product --local 16,16 -- -cl-clarity-tile=1x1 \
// RUN:   | FileCheck %s --check-prefix=PLAIN

// Eight rows and four columns: twelve loads and 32 products in an iteration, four iterations together.
// CHECK: %aligned = icmp
// CHECK-COUNT-128: call {{.*}}float @llvm.fma.f32
// PTX: .reqntid 32, 4, 1
// PTX: .minnctapersm 4
// PTX-COUNT-12: ld.global.nc.v4.b32
// PTX: fma.rn.f32
// PLAIN-NOT: .reqntid 32
kernel void product(global const float* restrict a, global const float* restrict b, global float* restrict c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum = fma(a[y * n + k], b[k * n + x], sum);
  c[y * n + x] = sum;
}

// Id 0 is the row here: threads lie along id 1, along which memory is consecutive.
// SWAPPED: .reqntid 32, 4, 1
kernel void transposed(global const float* restrict a, global const float* restrict b, global float* restrict c,
                       int n) {
  const int x = get_global_id(1), y = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum = fma(a[y * n + k], b[k * n + x], sum);
  c[y * n + x] = sum;
}
