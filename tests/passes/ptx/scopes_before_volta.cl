// SPDX-License-Identifier: Apache-2.0
// Below compute capability 7.0 instructions have no order: fences have. `atom` has scopes from 6.0 on; before, there is
// no name for that of all devices.
// DEFINE: %{pascal} = %clarity compile %s --processor sm_60 --emit asm
// DEFINE: %{maxwell} = %clarity compile %s --processor sm_50 --emit asm
// DEFINE: %{scope} = -Dmemory_scope_all_svm_devices=__OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES
// DEFINE: %{flags} = --local 64 -- -cl-std=CL3.0 -cl-clarity-tile=1x1
// RUN: %{pascal} --kernel updates %{flags} | FileCheck %s --check-prefixes=CHECK,PASCAL
// RUN: %{maxwell} --kernel updates %{flags} %{scope} | FileCheck %s --check-prefixes=CHECK,MAXWELL
// CHECK-NOT: membar
// PASCAL: atom.cta.global.add.u32
// MAXWELL: atom.global.add.u32
// CHECK-NOT: membar
// CHECK: atom.global.add.u32
// CHECK-NOT: membar
// PASCAL: atom.sys.global.add.u32
// MAXWELL: atom.global.add.u32
// PASCAL: red.sys.global.max.s32
// MAXWELL: {{red|atom}}.global.max.s32
// CHECK-NOT: membar
// PASCAL: atom.cta.global.exch.b32
// MAXWELL: atom.global.exch.b32
// CHECK: membar.cta;
// CHECK-NOT: membar
// CHECK: membar.gl;
// CHECK-NOT: membar
// CHECK: atom.global.and.b32
// CHECK-NOT: membar
// CHECK: membar.sys;
// PASCAL: atom.sys.global.or.b32
// MAXWELL: atom.global.or.b32
// CHECK: membar.sys;
// CHECK-NOT: membar
// CHECK: membar.gl;
// CHECK: atom.global.xor.b32
// CHECK: membar.gl;
// CHECK-NOT: membar
// PASCAL: atom.gpu.global.cas.b32
// MAXWELL: atom.global.cas.b32
// CHECK: membar.gl;
// CHECK-NOT: membar
// CHECK: membar.cta;
// PASCAL: atom.cta.global.cas.b32
// MAXWELL: atom.global.cas.b32
// CHECK: membar.cta;
// CHECK-NOT: membar
kernel void updates(volatile global atomic_int *p, volatile global int *out, int which) {
  out[0] = atomic_fetch_add_explicit(p, which, memory_order_relaxed, memory_scope_work_group);
  out[1] = atomic_fetch_add_explicit(p, which, memory_order_relaxed, memory_scope_device);
  out[2] = atomic_fetch_add_explicit(p, which, memory_order_relaxed, memory_scope_all_svm_devices);
  atomic_fetch_max_explicit(p, which, memory_order_relaxed, memory_scope_all_svm_devices);
  out[3] = atomic_exchange_explicit(p, which, memory_order_acquire, memory_scope_work_group);
  out[4] = atomic_fetch_and_explicit(p, which, memory_order_release, memory_scope_device);
  out[5] = atomic_fetch_or_explicit(p, which, memory_order_acq_rel, memory_scope_all_svm_devices);
  out[6] = atomic_fetch_xor(p, which);
  int found = which;
  atomic_compare_exchange_strong_explicit(p, &found, 3, memory_order_acquire, memory_order_relaxed,
                                          memory_scope_device);
  atomic_compare_exchange_strong_explicit(p, &found, 4, memory_order_acq_rel, memory_order_acquire,
                                          memory_scope_sub_group);
  out[7] = found;
}

// RUN: %{pascal} --kernel accesses %{flags} | FileCheck %s --check-prefix=ACCESSES
// RUN: %{maxwell} --kernel accesses %{flags} %{scope} | FileCheck %s --check-prefix=ACCESSES
// ACCESSES-NOT: membar
// ACCESSES: ld.volatile.global.b32
// ACCESSES-NOT: membar
// ACCESSES: ld.volatile.global.b64
// ACCESSES-NEXT: membar.cta;
// ACCESSES-NOT: membar
// ACCESSES: membar.gl;
// ACCESSES-NEXT: ld.volatile.global.b32
// ACCESSES-NEXT: membar.gl;
// ACCESSES-NOT: membar
// ACCESSES: st.volatile.global.b32
// ACCESSES-NOT: membar
// ACCESSES: membar.sys;
// ACCESSES-NEXT: st.volatile.global.b32
// ACCESSES-NOT: membar
// ACCESSES: membar.gl;
// ACCESSES-NEXT: st.volatile.global.b32
// ACCESSES-NOT: membar
// ACCESSES: membar.cta;
// ACCESSES-NOT: membar
// ACCESSES: membar.sys;
// ACCESSES-NOT: membar
// ACCESSES: bar.sync
kernel void accesses(volatile global atomic_int *p, volatile global atomic_long *wide, volatile global int *out) {
  out[0] = atomic_load_explicit(p, memory_order_relaxed, memory_scope_device);
  out[1] = atomic_load_explicit(wide, memory_order_acquire, memory_scope_work_group);
  out[2] = atomic_load(p);
  atomic_store_explicit(p, 1, memory_order_relaxed, memory_scope_device);
  atomic_store_explicit(p, 2, memory_order_release, memory_scope_all_svm_devices);
  atomic_store(p, 3);
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
  out[3] = 4;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_all_svm_devices);
  out[4] = 5;
  barrier(CLK_GLOBAL_MEM_FENCE);
}

// Without an instruction a loop, between the fences.
// RUN: %{maxwell} --kernel loops %{flags} %{scope} | FileCheck %s --check-prefix=LOOPS
// LOOPS: membar.gl;
// LOOPS-NOT: membar
// LOOPS: atom.global.cas.b64
// LOOPS: bra
// LOOPS-NOT: bra
// LOOPS: membar.gl;
kernel void loops(volatile global atomic_double *sum, volatile global double *out) {
  out[0] = atomic_fetch_add_explicit(sum, 1.5, memory_order_acq_rel, memory_scope_device);
}
