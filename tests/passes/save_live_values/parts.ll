; Behind a barrier a varying value is computed again from what the work-group has once, if that must be spilled. A bool
; is spilled as a byte, so that packets store those of neighbouring work-items side by side.
; RUN: %clarity opt --passes='prepare-barriers,save-live-values' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)
declare void @__clarity_barrier(i32)

; CHECK-LABEL: define void @of_group
; CHECK-NOT: alloca
; CHECK: %[[PART:.*]] = alloca i64, align 8, !clarity.uniform.slot
; CHECK-NOT: alloca
; CHECK: after.barrier:
; CHECK-DAG: %[[AGAIN:.*]] = load i64, ptr %[[PART]]
; CHECK-DAG: %[[ID:.*]] = call i64 @__clarity_local_id(i32 0)
; CHECK: %[[I:.*]] = add i64 %[[AGAIN]], %[[ID]]
; CHECK: getelementptr float, ptr addrspace(1) %out, i64 %[[I]]
define void @of_group(ptr addrspace(1) %out, i64 %n) {
entry:
  %part = udiv i64 %n, 3
  %id = call i64 @__clarity_local_id(i32 0)
  %i = add i64 %part, %id
  %p = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float 1.0, ptr addrspace(1) %p
  call void @__clarity_barrier(i32 1)
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float 2.0, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define void @bools
; CHECK: %[[SLOT:.*]] = alloca i8
; CHECK: %[[BYTE:.*]] = zext i1 %c to i8
; CHECK: store i8 %[[BYTE]], ptr %[[SLOT]]
; CHECK: after.barrier:
; CHECK: %[[LOADED:.*]] = load i8, ptr %[[SLOT]]
; CHECK: trunc i8 %[[LOADED]] to i1
define void @bools(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %id
  %v = load float, ptr addrspace(1) %p
  %c = fcmp ogt float %v, 1.0
  call void @__clarity_barrier(i32 1)
  %s = select i1 %c, float 1.0, float 2.0
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %s, ptr addrspace(1) %q
  ret void
}

; Behind a loop that work-items leave in different iterations, its counter is another number for each of them.
; CHECK-LABEL: define void @left_apart
; CHECK: %w.spill = alloca i64, align 8{{$}}
; CHECK-NOT: clarity.uniform.slot
; CHECK: after.barrier:
define void @left_apart(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %w = add i64 %id, %i
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %w
  %v = load i32, ptr addrspace(1) %p
  %next = add i64 %i, 1
  %more = icmp sgt i32 %v, 0
  br i1 %more, label %loop, label %behind
behind:
  call void @__clarity_barrier(i32 1)
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %w
  store i32 %v, ptr addrspace(1) %q
  ret void
}
