// SPDX-License-Identifier: Apache-2.0
// Threads of a warp that exchange values through local memory without a barrier meet ahead of each access whose order
// matters, and have one work-item each.
// RUN: %clarity compile %s --processor sm_90 --emit asm --local 64 --kernel exchange | FileCheck %s
// RUN: %clarity compile %s --processor sm_90 --report --local 64 2>&1 | FileCheck --check-prefix=REPORT %s
// RUN: %clarity compile %s --processor sm_90 --emit asm --local 64 --kernel exchange -- \
// RUN:   -cl-clarity-disable=keep-warps-in-step | FileCheck --check-prefix=LEFT %s
// CHECK: .entry
// CHECK: activemask
// CHECK-NEXT: bar.warp.sync
// CHECK: ld.shared
// CHECK: activemask
// CHECK-NEXT: bar.warp.sync
// CHECK: st.shared
// LEFT-NOT: activemask
// RUN: %clarity compile %s --processor sm_90 --emit asm --local 64 --kernel looksUp | FileCheck --check-prefix=TABLE %s
// Loads of what nothing stores between barriers, and loads that follow each other, need no meeting.
// TABLE-COUNT-2: bar.warp.sync
// TABLE-NOT: bar.warp.sync
// RUN: %clarity compile %s --processor sm_90 --emit asm --local 64 --kernel counts | FileCheck --check-prefix=COUNTS %s
// Work-items meet ahead of what atomic operations have changed.
// COUNTS: bar.warp.sync
// COUNTS: ld.volatile.shared
// COUNTS: atom.shared
// COUNTS: bar.warp.sync
// COUNTS: ld.volatile.shared
// COUNTS: bar.warp.sync
// COUNTS: st.volatile.shared
// REPORT: kernel 'exchange', line 42
// REPORT: a thread executes one work-item: the threads of a warp run in step
// REPORT: line 46: local memory may be what another work-item stores in line 46 without a barrier
// REPORT: kernel 'apart', line
// REPORT-NOT: in step
// REPORT: kernel 'tiles', line
// REPORT: kernel 'looksUp', line
// Loops that lack only the barrier at their end get it, and a thread may have several work-items.
// RUN: %clarity compile %s --processor sm_90 --report --kernel tiles --local 64 2>&1 \
// RUN:   | FileCheck --check-prefix=TILES %s
// TILES: kernel 'tiles', line
// TILES-NOT: run in step
// TILES: without a barrier: one ends each iteration of the loop
kernel void exchange(global const int* in, global int* out, local int* s) {
  const int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 16; l < 32 && d > 0; d /= 2) s[l] += s[l + d];
  if (l == 0) out[get_group_id(0)] = s[0];
}
kernel void apart(global const int* in, global int* out, local int* s) {
  const int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[63 - l];
}
kernel void tiles(global const int* in, global int* out, local int* s, int count) {
  const int l = get_local_id(0);
  int sum = 0;
  for (int tile = 0; tile < count; ++tile) {
    s[l] = in[tile * 64 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 64; ++i) sum += s[i] * l;
  }
  out[get_global_id(0)] = sum;
}
kernel void looksUp(global const int* in, global int* out, local int* s, local int* table) {
  const int l = get_local_id(0);
  table[l] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int first = table[in[get_global_id(0)]], second = table[in[get_global_id(0)] ^ 1];
  s[l] = first + second;
  if (l < 16) out[get_group_id(0) * 16 + l] = s[l + 1] + s[l + 16] + table[l ^ 2];
}
kernel void counts(global const int* in, global int* out, volatile local int* s, volatile local int* n) {
  const int l = get_local_id(0);
  s[l] = in[l];
  if (l == 0) *n = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 32) {
    const int before = s[l + 1];
    atomic_add(n, before);
    s[l] = before + *n;
    out[get_group_id(0) * 32 + l] = s[l ^ 1];
  }
}
