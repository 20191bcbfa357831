; SPDX-License-Identifier: Apache-2.0
; Neighbouring work-groups along x become one: a variable that all of them fill with the same values exists once, one
; that each fills with its own exists once for each.
; RUN: %clarity opt %s --passes='specialize-shape<16x16>,name-local-accesses,share-local-memory<2>' | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
declare i64 @__clarity_local_id(i32) nounwind speculatable willreturn memory(none)
declare i64 @__clarity_group_id(i32) nounwind speculatable willreturn memory(none)
declare ptr addrspace(3) @__clarity_local_memory() nounwind speculatable willreturn memory(none)
declare void @__clarity_barrier(i32) convergent nounwind

; CHECK-LABEL: define float @rows
; CHECK: %[[LOCAL:.*]] = call ptr addrspace(3) @__clarity_local_memory()
; CHECK: %[[OWN:.*]] = getelementptr inbounds i8, ptr addrspace(3) %[[LOCAL]], i64 %
; CHECK-DAG: %[[COMMON:.*]] = getelementptr inbounds i8, ptr addrspace(3) %[[LOCAL]], i64 0
; CHECK-DAG: %[[ROW:.*]] = getelementptr float, ptr addrspace(3) %[[COMMON]], i64 %y
; CHECK-DAG: store float %row, ptr addrspace(3) %[[ROW]]
; CHECK-DAG: %[[OTHER:.*]] = getelementptr inbounds i8, ptr addrspace(3) %[[OWN]], i64 64
; CHECK-DAG: %[[COLUMN:.*]] = getelementptr float, ptr addrspace(3) %[[OTHER]], i64 %x
; CHECK-DAG: store float %column, ptr addrspace(3) %[[COLUMN]]
; CHECK: ret float
define float @rows(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  %local = call ptr addrspace(3) @__clarity_local_memory()
  %one = getelementptr inbounds i8, ptr addrspace(3) %local, i64 0
  %two = getelementptr inbounds i8, ptr addrspace(3) %local, i64 64
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %group = call i64 @__clarity_group_id(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %y
  %row = load float, ptr addrspace(1) %pa
  %first = getelementptr float, ptr addrspace(3) %one, i64 %y
  store float %row, ptr addrspace(3) %first
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %group
  %column = load float, ptr addrspace(1) %pb
  %second = getelementptr float, ptr addrspace(3) %two, i64 %x
  store float %column, ptr addrspace(3) %second
  call void @__clarity_barrier(i32 1)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %after, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr addrspace(3) %one, i64 %i
  %q = getelementptr float, ptr addrspace(3) %two, i64 %i
  %u = load float, ptr addrspace(3) %p
  %v = load float, ptr addrspace(3) %q
  %product = fmul float %u, %v
  %next = fadd float %sum, %product
  %after = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %after, %n
  br i1 %more, label %loop, label %end

end:
  ret float %next
}

; Nothing that they fill alike: they stay apart.
; CHECK-LABEL: define float @different
; CHECK-NOT: call i64 @__clarity_local_id(i32 2)
; CHECK: ret float
define float @different(ptr addrspace(1) %b) {
  %local = call ptr addrspace(3) @__clarity_local_memory()
  %one = getelementptr inbounds i8, ptr addrspace(3) %local, i64 0
  %group = call i64 @__clarity_group_id(i32 0)
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %group
  %column = load float, ptr addrspace(1) %pb
  store float %column, ptr addrspace(3) %one
  call void @__clarity_barrier(i32 1)
  %v = load float, ptr addrspace(3) %one
  ret float %v
}
