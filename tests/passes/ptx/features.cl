// SPDX-License-Identifier: Apache-2.0
// Features of OpenCL C in PTX, one kernel each.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel longs --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=LONGS
// LONGS-DAG: atom{{.*}}.add.u64
// LONGS-DAG: atom{{.*}}.max.s64
// LONGS-DAG: atom{{.*}}.cas.b64
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void longs(volatile global long* a, global long* out) {
  out[get_global_id(0)] = atom_add(a, 3L) + atom_max(a + 1, out[0]) + atom_cmpxchg(a + 2, 1L, 2L);
}

// Variables of the program lie in a block whose address the device writes to a constant.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel variables --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=VARIABLES
// VARIABLES: .const{{.*}}clarity_variables
// VARIABLES: ld.const.b64 {{.*}}, [clarity_variables]
global int counter = 5;
kernel void variables(global int* out) { out[get_global_id(0)] = counter++; }

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel anywhere --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=ANYWHERE
// ANYWHERE: cvta.{{shared|global}}
// ANYWHERE: ld.{{b32|u32}}
kernel void anywhere(global int* a, local int* b, global int* out) {
  const int i = get_local_id(0);
  b[i] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  generic int* p = a[0] > 0 ? (generic int*)(a + i) : (generic int*)(b + (i ^ 1));
  out[get_global_id(0)] = *p;
}

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel across --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=ACROSS
// ACROSS-DAG: vote.sync.ballot
// ACROSS-DAG: shfl.sync.idx
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
kernel void across(global int* a, global uint4* b) {
  const int i = get_global_id(0);
  a[i] = sub_group_shuffle(a[i], 3u) + sub_group_shuffle_xor(a[i], 1u);
  b[i] = sub_group_ballot(a[i] > 3);
}

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel quotients --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=NEAR
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel quotients --local 64 -- -cl-std=CL3.0 \
// RUN:   -cl-fp32-correctly-rounded-divide-sqrt | FileCheck %s --check-prefix=EXACT
// NEAR-NOT: div.rn
// NEAR-DAG: sqrt.approx
// EXACT-DAG: div.rn.f32
// EXACT-DAG: sqrt.rn.f32
kernel void quotients(global float* a) {
  const int i = get_global_id(0);
  a[i] = a[i] / a[i + 64] + sqrt(a[i + 128]);
}

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel printing --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=PRINT
// PRINT: atom.global.add.u64
kernel void printing(global int* a) { printf("%d\n", a[get_global_id(0)]); }

// A block meets at a barrier.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel meeting --local 64 -- -cl-std=CL3.0 \
// RUN:   -cl-clarity-tile=1x1 | FileCheck %s --check-prefix=BLOCK
// BLOCK: bar.sync
// BLOCK: ld.shared
kernel void meeting(global int* a, local int* b) {
  const int i = get_local_id(0);
  b[i] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = b[63 - i];
}

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel rotations --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=ROTATE
// ROTATE: shfl.sync
kernel void rotations(global int* a) { a[get_global_id(0)] = sub_group_rotate(a[get_global_id(0)], 1); }

// Conditions that a program asserts are not computed.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel assumed --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=ASSUME
// ASSUME-NOT: rem
// ASSUME: ret;
kernel void assumed(global uint* a, uint n) {
  __builtin_assume(n == 64);
  a[get_global_id(0)] = a[get_global_id(0)] % n;
}

// Subnormal numbers are kept, also where a program does without.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel small --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=KEEP
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel small --local 64 -- -cl-std=CL3.0 \
// RUN:   -cl-denorms-are-zero | FileCheck %s --check-prefix=KEEP
// KEEP-NOT: .ftz
// KEEP: mul.rn.f32
// KEEP-NOT: .ftz
kernel void small(global float* a) { a[get_global_id(0)] = a[get_global_id(0)] * 0.3f; }

// The clock of the device is one for all multiprocessors, those of smaller scopes are a multiprocessor's.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel clocks --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=CLOCKS
// CLOCKS: %globaltimer
// CLOCKS: %clock64
kernel void clocks(global ulong* out) {
  out[0] = clock_read_device();
  out[1] = clock_read_work_group();
}

// A barrier orders memory for its work-group; for more, fences do.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel meets --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=MEETS
// MEETS-NOT: {{fence|membar}}
// MEETS: bar.sync
// MEETS-NOT: {{fence|membar}}
// MEETS: fence
// MEETS-NEXT: bar.sync
// MEETS-NEXT: fence
kernel void meets(global int* a, global int* out) {
  const int i = get_global_id(0);
  a[i] = i;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = a[i ^ 1];
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  a[i] = out[i ^ 1];
}
