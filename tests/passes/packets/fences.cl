// SPDX-License-Identifier: Apache-2.0
// A packet has one fence for all its work-items, also where some do not come to it. Scopes change nothing on CPUs.
// RUN: %clarity compile %s --processor x86-64-v4 --emit native-ir --local 64 -- -cl-std=CL3.0 | FileCheck %s
// CHECK-NOT: {{packet.lane|syncscope}}
// CHECK: masked.store.v16i32
// CHECK-NOT: {{packet.lane|syncscope}}
// CHECK: fence release
// CHECK-NOT: {{packet.lane|syncscope|fence release}}
// CHECK: masked.store.v16i32
// CHECK-NOT: {{packet.lane|syncscope}}
kernel void fences(global int *a) {
  const int i = get_global_id(0);
  if (a[i] > 3) {
    a[i] = i;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
    a[i + 64] = 1;
  }
}
