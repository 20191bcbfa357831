// SPDX-License-Identifier: Apache-2.0
// Copies that work-items wait for in groups are instructions that nothing waits for; of constant waits the number of
// groups stays.
// RUN: %clarity compile %s --processor sm_90 --emit asm --local 32 | FileCheck %s
// CHECK: .entry
// CHECK: cp.async.cg.shared.global {{.*}}, 16, %r
// CHECK: cp.async.commit_group
// CHECK: cp.async.cg.shared.global {{.*}}, 16;
// CHECK: cp.async.commit_group
// CHECK: cp.async.wait_group {{.*}}1;
// CHECK: bar{{.*}}sync
// CHECK: ld.shared
// CHECK: cp.async.wait_group {{.*}}0;
// CHECK: bar{{.*}}sync
// CHECK: ld.shared
// CHECK: ret
kernel void staged(global uint4* out, global const uint4* in, uint bytes) {
  local uint4 parts[64];
  const uint l = get_local_id(0);
  clarity_copy_begin(parts + l, in + l, bytes);
  clarity_copy_end_group();
  clarity_copy_begin(parts + 32 + l, in + 32 + l, 16);
  clarity_copy_end_group();
  clarity_copy_wait(1);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = parts[31 - l];
  clarity_copy_wait(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[32 + l] = parts[63 - l];
}
