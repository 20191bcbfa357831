// SPDX-License-Identifier: Apache-2.0
// A read-modify-write has the order that it asks for, which LLVM's code generator leaves out (scopes.cl: all of them).
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel locked --local 64 -- -cl-std=CL3.0 | FileCheck %s
// CHECK-NOT: fence
// CHECK: atom.acquire.gpu.global.exch.b32
// CHECK-NOT: fence
// CHECK: st.release.gpu
kernel void locked(volatile global atomic_int* lock, global int* value) {
  if (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device) == 0) {
    *value += 1;
    atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
  }
}

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel counted --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=COUNT
// COUNT-NOT: fence
// COUNT: atom{{.*}}add
// COUNT-NOT: fence
kernel void counted(volatile global atomic_int* relaxed, volatile global int* legacy, global int* out) {
  size_t i = get_global_id(0);
  out[i] = atomic_fetch_add_explicit(relaxed, 1, memory_order_relaxed, memory_scope_device) + atomic_inc(legacy);
}

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel shared --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=LOCAL
// LOCAL: fence.sc.cta
// LOCAL: atom.acquire.cta.shared.add.u32
kernel void shared(global int* out) {
  local atomic_int count;
  if (get_local_id(0) == 0) atomic_init(&count, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = atomic_fetch_add(&count, 1);
}

// Additions of float whose addend may be too small for the instruction, which takes subnormal numbers for 0.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel sums --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=SUM
// SUM: and.b32 [[BITS:%r[0-9]+]], {{%r[0-9]+}}, 2147483647
// SUM: setp.{{lt|gt}}.u32 {{%p[0-9]+}}, [[BITS]], {{218103807|218103808}}
// SUM-DAG: {{atom|red}}{{.*}}.global.add.f32
// SUM-DAG: atom{{.*}}.global.cas.b32
kernel void sums(volatile global atomic_float* sum, global const float* in) {
  atomic_fetch_add_explicit(sum, in[get_global_id(0)], memory_order_relaxed, memory_scope_device);
}

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel ones --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=ONE
// ONE-NOT: .cas
// ONE: {{atom|red}}{{.*}}.global.add.f32
// ONE-NOT: .cas
kernel void ones(volatile global atomic_float* sum) {
  atomic_fetch_add_explicit(sum, 1.0f, memory_order_relaxed, memory_scope_device);
}

// Local memory keeps them.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel in_group --local 64 -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix=GROUP
// GROUP-NOT: .cas
// GROUP: atom{{.*}}.shared.add.f32
// GROUP-NOT: .cas
kernel void in_group(global const float* in, global float* out) {
  local atomic_float sum;
  if (get_local_id(0) == 0) atomic_init(&sum, 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] =
      atomic_fetch_add_explicit(&sum, in[get_global_id(0)], memory_order_relaxed, memory_scope_work_group);
}
