// SPDX-License-Identifier: Apache-2.0
// Volatile accesses of local memory are those of vectors where work-items exchange values at barriers only. Where they
// may exchange some between barriers, and in global memory, one work-item accesses it after the other.
// RUN: %clarity compile %s --report --local 64 --processor x86-64-v4 2>&1 | FileCheck %s

// CHECK-LABEL: kernel 'tree'
// CHECK: store float partial[i]: consecutive
// CHECK: load float partial[i + {{.*}}]: consecutive
// CHECK-NOT: it is volatile
__kernel void tree(__global const float* in, __global float* out, __local volatile float* partial) {
  int i = get_local_id(0);
  float sum = in[get_global_id(0)];
  partial[i] = sum;
  for (int distance = 32; distance > 0; distance /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i + distance < 64) sum += partial[i + distance];
    barrier(CLK_LOCAL_MEM_FENCE);
    partial[i] = sum;
  }
  out[get_global_id(0)] = sum;
}

// CHECK-LABEL: kernel 'any_place'
// CHECK: partial[i]: one work-item after the other, as it is volatile
__kernel void any_place(__global const int* in, __global float* out, __local volatile float* partial) {
  int i = get_local_id(0), place = in[get_global_id(0)] & 63;
  partial[i] = (float)place;
  out[get_global_id(0)] = partial[place];
}

// CHECK-LABEL: kernel 'global_memory'
// CHECK: out[get_global_id(0)]: one work-item after the other, as it is volatile
__kernel void global_memory(__global const float* in, __global volatile float* out) {
  out[get_global_id(0)] = in[get_global_id(0)];
}
