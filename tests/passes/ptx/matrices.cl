// SPDX-License-Identifier: Apache-2.0
// Products of matrices that a sub-group has in its registers are instructions.
// RUN: %clarity compile %s --processor sm_90 --emit asm --local 32 | FileCheck %s
// RUN: %clarity compile %s --processor sm_80 --emit asm --local 32 --kernel of_doubles | FileCheck %s -check-prefix=OLD
// RUN: %clarity compile %s --processor sm_90 --emit asm --local 32 --kernel of_doubles | FileCheck %s -check-prefix=NEW
// CHECK: .entry
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK: ret
kernel void of_words(global float4* sums, global const uint4* words) {
  local uint4 rows[32];
  uint l = get_local_id(0);
  rows[l] = words[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint4 a = clarity_sub_group_matrix_load((const local uint*)(rows + l));
  uint4 b = clarity_sub_group_matrix_load_turned((const local uint*)(rows + l));
  sums[l] = clarity_sub_group_matrix_mad_bf16(a, b.zw, clarity_sub_group_matrix_mad_f16(a, b.xy, sums[l]));
}
// OLD-COUNT-4: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64
// OLD-NOT: mma
// NEW: mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64
// NEW-NOT: mma
kernel void of_doubles(global double4* sums, global const double4* a, global const double2* b) {
  uint l = get_local_id(0);
  sums[l] = clarity_sub_group_matrix_mad_f64(a[l], b[l], sums[l]);
}
