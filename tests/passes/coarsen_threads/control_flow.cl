// SPDX-License-Identifier: Apache-2.0
// Control flow of the work-items of a thread: together where they agree, one after the other where they may not.
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel guarded --local 16,16 \
// RUN:   | FileCheck %s --check-prefix=GUARD
// RUN: %clarity compile %s --processor sm_90 --emit native-ir --kernel strides --local 256 \
// RUN:   | FileCheck %s --check-prefix=STRIDES
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel lock --local 16,16 \
// RUN:   | FileCheck %s --check-prefix=LOCK
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel watch --local 16,16 \
// RUN:   | FileCheck %s --check-prefix=WATCH

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel guarded --local 16,16 \
// RUN:   --print-after=coarsen -o /dev/null 2>&1 | FileCheck %s --check-prefix=APART

// Where work-items do not agree, each has a copy of the loop, which no later step makes larger.
// APART: br {{.*}}, !llvm.loop ![[KEEP:[0-9]+]]
// APART: ![[KEEP]] = distinct !{![[KEEP]], ![[DISABLE:[0-9]+]]}
// APART: ![[DISABLE]] = !{!"llvm.loop.unroll.disable"}
// GUARD: %agree
// GUARD: br i1 %agree
kernel void guarded(global const float* restrict a, global const float* restrict b, global float* restrict c,
                    int n, int w) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * w + x];
  c[y * w + x] = sum;
}

// Four work-groups in step go through the loop together until the first leaves it, then one after the other.
// STRIDES-LABEL: define
// STRIDES-COUNT-4: load float, ptr addrspace(1)
// STRIDES: br i1
// STRIDES: load float, ptr addrspace(1)
// STRIDES-NEXT: fadd
kernel void strides(global const float* a, global float* out, local float* s, uint n) {
  const uint lid = get_local_id(0);
  float sum = 0;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) sum += a[i];
  s[lid] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid == 0) {
    float all = 0;
    for (int i = 0; i < 256; ++i) all += s[i];
    out[get_group_id(0)] = all;
  }
}

// A work-item that waits for another one must not share its thread.
// LOCK-NOT: .reqntid 32,
kernel void lock(global const float* a, volatile global int* gate, global float* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * a[k * n + x];
  while (atomic_cmpxchg(gate, 0, 1) != 0) {}
  c[0] += sum;
  atomic_xchg(gate, 0);
}

// A thread of 32 work-items makes each of their volatile accesses, also where all have one address.
// WATCH: .reqntid 32, 4, 1
// WATCH-COUNT-32: ld.volatile.global
// WATCH-NOT: ld.volatile.global
// WATCH-COUNT-32: st.volatile.global
// WATCH-NOT: st.volatile.global
kernel void watch(global const float* a, volatile global int* flag, global float* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * a[k * n + x];
  c[y * n + x] = sum + *flag;
  flag[1] = n;
}
