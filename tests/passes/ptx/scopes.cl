// SPDX-License-Identifier: Apache-2.0
// Atomic functions and fences have the scope and the order that they ask for, and none that is stronger: each scope,
// order, operation and memory.
// DEFINE: %{flags} = --local 64 -- -cl-std=CL3.0 -cl-clarity-tile=1x1
// DEFINE: %{compile} = %clarity compile %s --processor sm_90 --emit asm
// DEFINE: %{group} = -D SCOPE=memory_scope_work_group
// DEFINE: %{sub} = -D SCOPE=memory_scope_sub_group
// DEFINE: %{device} = -D SCOPE=memory_scope_device
// DEFINE: %{all} = -D SCOPE=memory_scope_all_svm_devices
// DEFINE: %{check} = FileCheck %s -DSP=.global
// DEFINE: %{local} = FileCheck %s -DSP=.shared

#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
#define PLACES(T) global atomic_##T *g_##T, local atomic_##T *l_##T
#if defined(GLOBAL)
#define PLACE(T) volatile global atomic_##T *p_##T = g_##T
#elif defined(LOCAL)
#define PLACE(T) volatile local atomic_##T *p_##T = l_##T
#else
#define PLACE(T) volatile generic atomic_##T *p_##T = which ? (generic atomic_##T *)g_##T : (generic atomic_##T *)l_##T
#endif

// RUN: %{compile} --kernel orders %{flags} -D GLOBAL %{group} | %{check} -DSC=cta --check-prefix=ORDERS
// RUN: %{compile} --kernel orders %{flags} -D GLOBAL %{sub} | %{check} -DSC=cta --check-prefix=ORDERS
// RUN: %{compile} --kernel orders %{flags} -D GLOBAL %{device} | %{check} -DSC=gpu --check-prefix=ORDERS
// RUN: %{compile} --kernel orders %{flags} -D GLOBAL %{all} | %{check} -DSC=sys --check-prefix=ORDERS
// RUN: %{compile} --kernel orders %{flags} %{group} | FileCheck %s -DSP= -DSC=cta --check-prefix=ORDERS
// RUN: %{compile} --kernel orders %{flags} %{device} | FileCheck %s -DSP= -DSC=gpu --check-prefix=ORDERS
// RUN: %{compile} --kernel orders %{flags} %{all} | FileCheck %s -DSP= -DSC=sys --check-prefix=ORDERS
// RUN: %{compile} --kernel orders %{flags} -D LOCAL %{group} | %{local} -DSC=cta --check-prefix=ORDERS
// RUN: %{compile} --kernel orders %{flags} -D LOCAL %{device} | %{local} -DSC=cta --check-prefix=ORDERS
// RUN: %{compile} --kernel orders %{flags} -D LOCAL %{all} | %{local} -DSC=cta --check-prefix=ORDERS
// ORDERS-NOT: fence
// ORDERS: atom.acquire.[[SC]][[SP]].add.u32
// ORDERS: atom.release.[[SC]][[SP]].add.u32
// ORDERS: atom.acq_rel.[[SC]][[SP]].add.u32
// ORDERS-NOT: fence
// ORDERS: fence.sc.[[SC]];
// ORDERS: atom.acquire.[[SC]][[SP]].add.u32
// ORDERS-NOT: fence
// ORDERS: atom.relaxed.[[SC]][[SP]].cas.b32
// ORDERS: atom.acquire.[[SC]][[SP]].cas.b32
// ORDERS: atom.acq_rel.[[SC]][[SP]].cas.b32
// ORDERS: atom.acq_rel.[[SC]][[SP]].cas.b32
// ORDERS-NOT: fence
// ORDERS: fence.sc.[[SC]];
// ORDERS: atom.acquire.[[SC]][[SP]].cas.b64
// ORDERS-NOT: fence
// ORDERS: ld.relaxed.[[SC]][[SP]].b32
// ORDERS: ld.acquire.[[SC]][[SP]].b32
// ORDERS-NOT: fence
// ORDERS: fence.sc.[[SC]];
// ORDERS: ld.acquire.[[SC]][[SP]].b32
// ORDERS-NOT: fence
// ORDERS: st.relaxed.[[SC]][[SP]].b32
// ORDERS: st.release.[[SC]][[SP]].b32
// ORDERS-NOT: fence
// ORDERS: fence.sc.[[SC]];
// ORDERS: st.release.[[SC]][[SP]].b32
// ORDERS-NOT: fence
// ORDERS: atom.acquire.[[SC]][[SP]].exch.b32
// ORDERS: st.release.[[SC]][[SP]].b32
// ORDERS-NOT: fence
kernel void orders(PLACES(int), PLACES(long), PLACES(flag), volatile global int *out, int which) {
  PLACE(int);
  PLACE(long);
  PLACE(flag);
  out[0] = atomic_fetch_add_explicit(p_int, which, memory_order_acquire, SCOPE);
  out[1] = atomic_fetch_add_explicit(p_int, which, memory_order_release, SCOPE);
  out[2] = atomic_fetch_add_explicit(p_int, which, memory_order_acq_rel, SCOPE);
  out[3] = atomic_fetch_add_explicit(p_int, which, memory_order_seq_cst, SCOPE);
  int found = which;
  out[4] = atomic_compare_exchange_weak_explicit(p_int, &found, 1, memory_order_relaxed, memory_order_relaxed, SCOPE);
  out[5] = atomic_compare_exchange_strong_explicit(p_int, &found, 2, memory_order_acquire, memory_order_relaxed, SCOPE);
  out[6] = atomic_compare_exchange_strong_explicit(p_int, &found, 3, memory_order_release, memory_order_acquire, SCOPE);
  out[7] = atomic_compare_exchange_weak_explicit(p_int, &found, 4, memory_order_acq_rel, memory_order_acquire, SCOPE);
  long other = found;
  out[8] = atomic_compare_exchange_strong_explicit(p_long, &other, 5, memory_order_seq_cst, memory_order_relaxed,
                                                   SCOPE);
  out[9] = other;
  out[10] = atomic_load_explicit(p_int, memory_order_relaxed, SCOPE);
  out[11] = atomic_load_explicit(p_int, memory_order_acquire, SCOPE);
  out[12] = atomic_load_explicit(p_int, memory_order_seq_cst, SCOPE);
  atomic_store_explicit(p_int, 1, memory_order_relaxed, SCOPE);
  atomic_store_explicit(p_int, 2, memory_order_release, SCOPE);
  atomic_store_explicit(p_int, 3, memory_order_seq_cst, SCOPE);
  out[13] = atomic_flag_test_and_set_explicit(p_flag, memory_order_acquire, SCOPE);
  atomic_flag_clear_explicit(p_flag, memory_order_release, SCOPE);
}

// The operations. A subtraction is an addition; what there is no instruction for is a loop.
// RUN: %{compile} --kernel operations %{flags} -D GLOBAL %{group} | %{check} -DSC=cta --check-prefix=OPERATIONS
// RUN: %{compile} --kernel operations %{flags} -D GLOBAL %{device} | %{check} -DSC=gpu --check-prefix=OPERATIONS
// RUN: %{compile} --kernel operations %{flags} -D GLOBAL %{all} | %{check} -DSC=sys --check-prefix=OPERATIONS
// RUN: %{compile} --kernel operations %{flags} %{all} | FileCheck %s -DSP= -DSC=sys --check-prefix=OPERATIONS
// RUN: %{compile} --kernel operations %{flags} -D LOCAL %{all} | %{local} -DSC=cta --check-prefix=OPERATIONS
// OPERATIONS-NOT: fence
// OPERATIONS: neg.s32 [[NEG:%r[0-9]+]]
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].add.u32 {{%r[0-9]+}}, [{{%rd[0-9]+}}], [[NEG]];
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].exch.b32
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].min.s32
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].max.s32
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].and.b32
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].or.b32
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].xor.b32
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].min.u32
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].max.u32
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].add.u64
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].exch.b64
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].min.s64
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].max.u64
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].add.f32
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].exch.b32
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].add.f64
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].exch.b64
// OPERATIONS: atom.acq_rel.[[SC]][[SP]].cas.b32
// OPERATIONS: ld.acquire.[[SC]][[SP]].b32
// OPERATIONS: st.release.[[SC]][[SP]].b64
// OPERATIONS-NOT: fence
#define BOTH memory_order_acq_rel, SCOPE
kernel void operations(PLACES(int), PLACES(uint), PLACES(long), PLACES(ulong), PLACES(float), PLACES(double),
                       volatile global int *out, volatile global double *reals, int which) {
  PLACE(int);
  PLACE(uint);
  PLACE(long);
  PLACE(ulong);
  PLACE(float);
  PLACE(double);
  out[0] = atomic_fetch_sub_explicit(p_int, which, BOTH);
  out[1] = atomic_exchange_explicit(p_int, which, BOTH);
  out[2] = atomic_fetch_min_explicit(p_int, which, BOTH);
  out[3] = atomic_fetch_max_explicit(p_int, which, BOTH);
  out[4] = atomic_fetch_and_explicit(p_uint, which, BOTH);
  out[5] = atomic_fetch_or_explicit(p_uint, which, BOTH);
  out[6] = atomic_fetch_xor_explicit(p_uint, which, BOTH);
  out[7] = atomic_fetch_min_explicit(p_uint, which, BOTH);
  out[8] = atomic_fetch_max_explicit(p_uint, which, BOTH);
  out[9] = atomic_fetch_add_explicit(p_long, which, BOTH);
  out[10] = atomic_exchange_explicit(p_long, which, BOTH);
  out[11] = atomic_fetch_min_explicit(p_long, which, BOTH);
  out[12] = atomic_fetch_max_explicit(p_ulong, which, BOTH);
  reals[0] = atomic_fetch_add_explicit(p_float, 1.0f, BOTH);
  reals[1] = atomic_exchange_explicit(p_float, (float)which, BOTH);
  reals[2] = atomic_fetch_add_explicit(p_double, 1.0, BOTH);
  reals[3] = atomic_exchange_explicit(p_double, (double)which, BOTH);
  reals[4] = atomic_fetch_max_explicit(p_float, (float)which, BOTH);
  reals[5] = atomic_load_explicit(p_float, memory_order_acquire, SCOPE);
  atomic_store_explicit(p_double, 2.0, memory_order_release, SCOPE);
}

// Relaxed functions of the device's scope are LLVM's own; without a result the others are reductions.
// RUN: %{compile} --kernel relaxed %{flags} -D GLOBAL %{group} | %{check} -DSC=.cta --check-prefix=RELAXED
// RUN: %{compile} --kernel relaxed %{flags} -D GLOBAL %{all} | %{check} -DSC=.sys --check-prefix=RELAXED
// RUN: %{compile} --kernel relaxed %{flags} %{all} | FileCheck %s -DSP= -DSC=.sys --check-prefix=RELAXED
// RUN: %{compile} --kernel relaxed %{flags} -D GLOBAL %{device} | %{check} --check-prefix=PLAIN
// RUN: %{compile} --kernel relaxed %{flags} %{device} | FileCheck %s -DSP= --check-prefix=PLAIN
// RUN: %{compile} --kernel relaxed %{flags} -D LOCAL %{all} | %{local} --check-prefix=PLAIN
// RUN: %{compile} --kernel relaxed %{flags} -D LOCAL %{group} | %{local} --check-prefix=PLAIN
// RELAXED-NOT: fence
// RELAXED: atom.relaxed[[SC]][[SP]].add.u32
// RELAXED: red.relaxed[[SC]][[SP]].add.u32
// RELAXED: red.release[[SC]][[SP]].or.b32
// RELAXED: atom.acquire[[SC]][[SP]].or.b32
// RELAXED-NOT: fence
// PLAIN-NOT: fence
// PLAIN: atom[[SP]].add.u32
// PLAIN: {{atom|red}}[[SP]].add.u32
// PLAIN-NOT: fence
kernel void relaxed(PLACES(int), volatile global int *out, int which) {
  PLACE(int);
  out[0] = atomic_fetch_add_explicit(p_int, which, memory_order_relaxed, SCOPE);
  atomic_fetch_add_explicit(p_int, which, memory_order_relaxed, SCOPE);
  atomic_fetch_or_explicit(p_int, which, memory_order_release, SCOPE);
  atomic_fetch_or_explicit(p_int, which, memory_order_acquire, SCOPE);
}

// Without a scope it is the device's, without an order sequentially consistent; of OpenCL C 1.x relaxed.
// RUN: %{compile} --kernel defaults %{flags} | FileCheck %s --check-prefix=DEFAULTS
// DEFAULTS-NOT: {{fence|st.global}}
// DEFAULTS: st.relaxed.cta.global.b32
// DEFAULTS: fence.sc.gpu;
// DEFAULTS: atom.acquire.gpu.global.add.u32
// DEFAULTS: atom.release.gpu.global.add.u32
// DEFAULTS: fence.sc.gpu;
// DEFAULTS: ld.acquire.gpu.global.b32
// DEFAULTS: fence.sc.gpu;
// DEFAULTS: st.release.gpu.global.b32
// DEFAULTS: fence.sc.gpu;
// DEFAULTS: atom.acquire.gpu.global.cas.b32
// DEFAULTS: fence.sc.gpu;
// DEFAULTS: atom.acquire.gpu.global.exch.b32
// DEFAULTS: fence.sc.gpu;
// DEFAULTS: st.release.gpu.global.b32
// DEFAULTS-NOT: fence
// DEFAULTS: atom.global.add.u32
// DEFAULTS: atom.global.exch.b32
// DEFAULTS: atom.relaxed.gpu.global.cas.b32
// DEFAULTS: atom.global.add.u64
// DEFAULTS-NOT: {{fence|\.sys}}
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void defaults(volatile global atomic_int *p, volatile global atomic_flag *flag, volatile global int *legacy,
                     volatile global long *wide, volatile global int *out, int which) {
  atomic_init(p, which);
  out[0] = atomic_fetch_add(p, which);
  out[1] = atomic_fetch_add_explicit(p, which, memory_order_release);
  out[2] = atomic_load(p);
  atomic_store(p, which);
  int found = which;
  out[3] = atomic_compare_exchange_strong(p, &found, 3);
  out[4] = atomic_flag_test_and_set(flag);
  atomic_flag_clear(flag);
  out[5] = atomic_inc(legacy);
  out[6] = atomic_xchg(legacy, which);
  out[7] = atomic_cmpxchg(legacy, which, 3);
  out[8] = atom_dec(wide);
}

// RUN: %{compile} --kernel fences %{flags} | FileCheck %s --check-prefix=FENCES
// FENCES-NOT: fence
// FENCES: st.volatile.global.b32 {{.*}}, 1;
// FENCES-NEXT: st.volatile.global.b32 {{.*}}, 2;
// FENCES-NEXT: fence.acq_rel.cta;
// FENCES-NEXT: st.volatile.global.b32 {{.*}}, 3;
// FENCES-NEXT: fence.acq_rel.cta;
// FENCES-NEXT: st.volatile.global.b32 {{.*}}, 4;
// FENCES-NEXT: fence.acq_rel.gpu;
// FENCES-NEXT: st.volatile.global.b32 {{.*}}, 5;
// FENCES-NEXT: fence.acq_rel.sys;
// FENCES-NEXT: st.volatile.global.b32 {{.*}}, 6;
// FENCES-NEXT: fence.sc.gpu;
// FENCES-NEXT: st.volatile.global.b32 {{.*}}, 7;
// FENCES-NEXT: fence.acq_rel.cta;
// FENCES-NEXT: st.volatile.global.b32 {{.*}}, 8;
// FENCES-NEXT: st.volatile.global.b32 {{.*}}, 9;
// FENCES-NEXT: fence.acq_rel.gpu;
// FENCES-NEXT: st.volatile.global.b32 {{.*}}, 10;
// FENCES-NOT: fence
kernel void fences(volatile global int *out) {
  out[0] = 1;
  atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
  out[0] = 2;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_sub_group);
  out[0] = 3;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
  out[0] = 4;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
  out[0] = 5;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_acq_rel,
                         memory_scope_all_svm_devices);
  out[0] = 6;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
  out[0] = 7;
  atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
  out[0] = 8;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_relaxed, memory_scope_device);
  out[0] = 9;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  out[0] = 10;
}

// RUN: %{compile} --kernel barriers %{flags} | FileCheck %s --check-prefix=BARRIERS
// BARRIERS-NOT: fence
// BARRIERS: bar.sync
// BARRIERS-NOT: fence
// BARRIERS: bar.sync
// BARRIERS-NOT: fence
// BARRIERS: fence.acq_rel.gpu;
// BARRIERS-NEXT: bar.sync
// BARRIERS-NEXT: fence.acq_rel.gpu;
// BARRIERS: fence.acq_rel.sys;
// BARRIERS-NEXT: bar.sync
// BARRIERS-NEXT: fence.acq_rel.sys;
// BARRIERS-NOT: fence
// BARRIERS: bar.warp.sync
// BARRIERS-NOT: fence
// BARRIERS: fence.acq_rel.cta;
// BARRIERS: bar.warp.sync
// BARRIERS-NEXT: fence.acq_rel.cta;
// BARRIERS-NOT: fence
kernel void barriers(volatile global int *out) {
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
  out[get_local_id(0)] = 1;
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_device);
  out[get_local_id(0)] = 2;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  out[get_local_id(0)] = 3;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_scope_all_svm_devices);
  out[get_local_id(0)] = 4;
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_sub_group);
  out[get_local_id(0)] = 5;
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
  out[get_local_id(0)] = 6;
}

// Arguments that are no constants choose between instructions.
// RUN: %{compile} --kernel chosen %{flags} | FileCheck %s --check-prefix=CHOSEN
// CHOSEN-DAG: atom.global.add.u32
// CHOSEN-DAG: atom.relaxed.cta.global.add.u32
// CHOSEN-DAG: atom.acquire.cta.global.add.u32
// CHOSEN-DAG: atom.acq_rel.gpu.global.add.u32
// CHOSEN-DAG: atom.release.sys.global.add.u32
// CHOSEN-DAG: fence.sc.sys
kernel void chosen(volatile global atomic_int *p, volatile global int *out, memory_order order, memory_scope scope) {
  out[0] = atomic_fetch_add_explicit(p, 1, order, scope);
}

// A helper's arguments are constants once it is inlined.
// RUN: %{compile} --kernel helped %{flags} | FileCheck %s --check-prefix=HELPED
// HELPED: atom.acquire.cta.global.add.u32
// HELPED-NOT: {{atom|red\.|fence}}
int take(volatile global atomic_int *p, memory_order order, memory_scope scope) {
  return atomic_fetch_add_explicit(p, 1, order, scope);
}
kernel void helped(volatile global atomic_int *p, volatile global int *out) {
  out[0] = take(p, memory_order_acquire, memory_scope_work_group);
}
