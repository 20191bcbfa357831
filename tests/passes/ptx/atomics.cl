// SPDX-License-Identifier: Apache-2.0
// A read-modify-write has the order that it asks for: the code generator leaves orders out, fences stand for them.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel locked --local 64 -- -cl-std=CL3.0 | FileCheck %s
// CHECK: fence.sc.gpu
// CHECK-NEXT: atom{{.*}}.exch.b32
// CHECK-NEXT: fence.acq_rel.gpu
// CHECK: st.release
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
// LOCAL: atom{{.*}}.add.u32
// LOCAL-NEXT: fence.acq_rel.cta
kernel void shared(global int* out) {
  local atomic_int count;
  if (get_local_id(0) == 0) atomic_init(&count, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = atomic_fetch_add(&count, 1);
}
