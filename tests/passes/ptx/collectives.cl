// SPDX-License-Identifier: Apache-2.0
// cl_khr_work_group_uniform_arithmetic: products, bitwise and logical operations of a work-group, of shuffles within
// warps and of shared memory between them.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel reduced -- -cl-std=CL3.0 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel scanned -- -cl-std=CL3.0 | FileCheck %s
// CHECK: .entry
// CHECK: shfl.sync
// CHECK: bar
// CHECK: ld.shared
// CHECK: ret
kernel void reduced(global int* ints, global ulong* longs, global double* doubles) {
  size_t i = get_global_id(0);
  ints[i] = work_group_reduce_and(ints[i]) + work_group_reduce_logical_xor(ints[i]);
  longs[i] = work_group_reduce_xor(longs[i]);
  doubles[i] = work_group_reduce_mul(doubles[i]);
}
kernel void scanned(global uint* ints, global long* longs, global float* floats, global int* predicates) {
  size_t i = get_global_id(0);
  ints[i] = work_group_scan_inclusive_or(ints[i]);
  longs[i] = work_group_scan_exclusive_mul(longs[i]);
  floats[i] = work_group_scan_inclusive_mul(floats[i]);
  predicates[i] = work_group_scan_exclusive_logical_and(predicates[i]);
}
