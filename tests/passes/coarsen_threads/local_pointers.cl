// SPDX-License-Identifier: Apache-2.0
// Addresses of local memory that a loop compares: once several work-groups run as one, each has its own, and nothing is
// known of their order. Such work-groups run apart.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel along --local 64 | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --report --kernel along --local 64 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REPORT
// CHECK: bar.sync
// REPORT: kernel 'along'
// REPORT: a thread executes one work-item: some work-groups may loop for longer than others
kernel void along(global const int* in, global int* out, local int* s, int n) {
  const int l = get_local_id(0);
  int sum = in[get_global_id(0)];
  for (local int* p = s; p != s + n; ++p) {
    if (l == 0) *p = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += *p ^ l;
  }
  out[get_global_id(0)] = sum;
}
