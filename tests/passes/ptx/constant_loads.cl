// SPDX-License-Identifier: Apache-2.0
// Constant memory does not change while a kernel runs: it is read through the read-only cache, and once,
// whatever the kernel writes between.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel weighted -- -cl-std=CL3.0 | FileCheck %s
// CHECK: ld.global.nc.{{[a-z]*}}32
// CHECK-NOT: ld.global.nc
// CHECK: ret
kernel void weighted(constant float* weights, global float* values) {
  size_t i = 2 * get_global_id(0);
  values[i] *= weights[0];
  values[i + 1] *= weights[0];
}
