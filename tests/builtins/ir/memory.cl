// SPDX-License-Identifier: Apache-2.0
// Loads and stores carry the element's alignment; atomics are one instruction, whose address has the order and the
// scope; barriers stay convergent.
// CHECK-LABEL: @loaded
// CHECK: load <4 x float>, ptr {{.*}}, align 4
// CHECK: store <4 x float> {{.*}}, ptr {{.*}}, align 4
kernel void loaded(global float *p, local float *q) { vstore4(vload4(1, p), 2, q); }

// CHECK-LABEL: @threes
// CHECK-COUNT-3: load i16, ptr addrspace(2)
// CHECK-NOT: load
// CHECK: ret void
kernel void threes(constant short *p, global short *q) { vstore3(vload3(1, p), 0, q); }

// CHECK-LABEL: @counted
// CHECK: %[[P:.*]] = {{.*}} @__clarity_ordered_global({{.*}}, i32 {{.*}}0, i32 {{.*}}0, i32 {{.*}}2)
// CHECK-NEXT: atomicrmw volatile add ptr addrspace(1) %[[P]], i32 1 seq_cst
kernel void counted(volatile global int *p) { atomic_inc(p); }

// CHECK-LABEL: @ordered
// CHECK: %[[P:.*]] = {{.*}} @__clarity_ordered_local({{.*}}, i32 {{.*}}0, i32 {{.*}}0, i32 {{.*}}1)
// CHECK-NEXT: atomicrmw volatile fadd ptr addrspace(3) %[[P]], float
// CHECK: %[[Q:.*]] = {{.*}} @__clarity_ordered_generic({{.*}}, i32 {{.*}}2, i32 {{.*}}0, i32 {{.*}}2)
// CHECK-NEXT: load atomic volatile i32, ptr addrspace(4) %[[Q]] seq_cst
kernel void ordered(volatile local atomic_float *p, volatile global atomic_int *q, global int *r) {
  atomic_fetch_add_explicit(p, 1.0f, memory_order_relaxed, memory_scope_work_group);
  *r = atomic_load_explicit(q, memory_order_acquire);
}

// CHECK-LABEL: @synchronised
// CHECK: call spir_func {{.*}}void @__clarity_barrier(i32 {{.*}}1) #[[CALL:[0-9]+]]
kernel void synchronised(local int *p) {
  *p = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
}

// CHECK-LABEL: @queried
// CHECK: call spir_func {{.*}}i64 @__clarity_global_id(i32 {{.*}}0)
// CHECK-NOT: switch
// CHECK: ret void
kernel void queried(global ulong *p) { *p = get_global_id(0); }

// CHECK-LABEL: @beyond
// CHECK-NOT: call
// CHECK: store i64 1,
kernel void beyond(global ulong *p) { *p = get_local_size(3); }

// CHECK-LABEL: @computed
// CHECK-DAG: @__clarity_local_id(i32 {{.*}}0)
// CHECK-DAG: @__clarity_local_id(i32 {{.*}}1)
// CHECK-DAG: @__clarity_local_id(i32 {{.*}}2)
kernel void computed(global ulong *p, uint dim) { *p = get_local_id(dim); }

// CHECK: attributes #[[CALL]] = { {{.*}}convergent
