; What every iteration computes alike stays in a loop with a barrier: ahead of it, it would be spilled for each work-item.
; RUN: %clarity opt --passes='loop-simplify,interchange-loops' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32) nounwind speculatable willreturn memory(none)
declare void @__clarity_barrier(i32) convergent nounwind

; A stencil in local memory, step by step.
; CHECK-LABEL: define void @steps
; CHECK: entry:
; CHECK-NOT: icmp
; CHECK-NOT: getelementptr
; CHECK: loop:
; CHECK: icmp ult i64 %id, %valid
; CHECK: getelementptr float, ptr addrspace(3) %tile, i64 %id
define void @steps(ptr addrspace(3) %tile, i64 %valid, i32 %count) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %inside = icmp ult i64 %id, %valid
  br i1 %inside, label %step, label %next
step:
  %at = getelementptr float, ptr addrspace(3) %tile, i64 %id
  %value = load float, ptr addrspace(3) %at
  %sum = fadd float %value, 1.0
  store float %sum, ptr addrspace(3) %at
  br label %next
next:
  call void @__clarity_barrier(i32 1)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i, %count
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Without a barrier it is computed once.
; CHECK-LABEL: define void @alone
; CHECK: entry:
; CHECK: icmp ult i64 %id, %valid
; CHECK: getelementptr float, ptr addrspace(3) %tile, i64 %id
; CHECK: loop:
define void @alone(ptr addrspace(3) %tile, i64 %valid, i32 %count) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %inside = icmp ult i64 %id, %valid
  br i1 %inside, label %step, label %next
step:
  %at = getelementptr float, ptr addrspace(3) %tile, i64 %id
  %value = load float, ptr addrspace(3) %at
  %sum = fadd float %value, 1.0
  store float %sum, ptr addrspace(3) %at
  br label %next
next:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i, %count
  br i1 %more, label %loop, label %end
end:
  ret void
}
