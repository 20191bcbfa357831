// SPDX-License-Identifier: Apache-2.0
// A sub-group reduces words by one instruction where the GPU has it, other values and on other GPUs by five shuffles;
// scans and clusters take five, too.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel words --local 64 -- -cl-std=CL3.0 | FileCheck %s
// RUN: %clarity compile %s --processor sm_75 --emit asm --kernel words --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=OLDER
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel floats --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=FLOATS
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel groups --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=GROUPS
// CHECK-NOT: shfl
// CHECK-DAG: redux.sync.add.s32
// CHECK-DAG: redux.sync.max.s32
// CHECK-DAG: redux.sync.min.u32
// CHECK-DAG: redux.sync.xor.b32
// CHECK-NOT: shfl
// OLDER-NOT: redux
// OLDER: shfl.sync.idx
// OLDER-NOT: redux
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_arithmetic : enable
kernel void words(global int* a, global uint* b) {
  const int i = get_global_id(0);
  a[i] = sub_group_reduce_add(a[i]) + sub_group_reduce_max(a[i]) + sub_group_non_uniform_reduce_xor(a[i]);
  b[i] = sub_group_reduce_min(b[i]);
}

// FLOATS-NOT: setp.{{eq|ne}}.b32 {{.*}}, -1
// FLOATS: shfl.sync.idx
// FLOATS: ret
kernel void floats(global float* a) {
  const int i = get_global_id(0);
  a[i] = sub_group_scan_inclusive_add(a[i]);
}

// GROUPS: redux.sync.add.s32
// GROUPS: bar{{.*}}sync
kernel void groups(global int* a) { a[get_global_id(0)] = work_group_reduce_add(a[get_global_id(0)]); }
