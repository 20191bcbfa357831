; SPDX-License-Identifier: Apache-2.0
; A thread executes four work-items along y, 8 apart: what does not differ along y stays single, barriers too.
; RUN: %clarity opt %s --passes='coarsen<1x4x1;1x8x1>' | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
declare i64 @__clarity_local_id(i32) nounwind speculatable willreturn memory(none)
declare void @__clarity_barrier(i32) convergent nounwind

; CHECK-LABEL: define void @column
; CHECK: %[[FIRST:.*]] = call i64 @__clarity_local_id(i32 1)
; CHECK-NEXT: add nuw nsw i64 %[[FIRST]], 8
; CHECK: add nuw nsw i64 %[[FIRST]], 16
; CHECK: add nuw nsw i64 %[[FIRST]], 24
; CHECK-COUNT-1: load float, ptr addrspace(1)
; CHECK-NOT: load
; CHECK-COUNT-4: store float
; CHECK-COUNT-1: call void @__clarity_barrier
; CHECK-NOT: call
; CHECK: ret void
define void @column(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %common = getelementptr float, ptr addrspace(1) %in, i64 %x
  %v = load float, ptr addrspace(1) %common
  %row = getelementptr [64 x float], ptr addrspace(1) %out, i64 %y
  %own = getelementptr float, ptr addrspace(1) %row, i64 %x
  store float %v, ptr addrspace(1) %own
  call void @__clarity_barrier(i32 1)
  ret void
}

; A branch that depends on y is taken by one after the other.
; CHECK-LABEL: define void @guarded
; CHECK-COUNT-4: br i1 %
; CHECK-NOT: br i1
; CHECK: ret void
define void @guarded(ptr addrspace(1) %out, i64 %n) {
entry:
  %y = call i64 @__clarity_local_id(i32 1)
  %inside = icmp ult i64 %y, %n
  br i1 %inside, label %then, label %end

then:
  %own = getelementptr i64, ptr addrspace(1) %out, i64 %y
  store i64 %n, ptr addrspace(1) %own
  br label %end

end:
  ret void
}

; Not where some of the work-items of a thread may miss a barrier: nothing changes.
; CHECK-LABEL: define void @parted
; CHECK-COUNT-1: call i64 @__clarity_local_id
; CHECK-COUNT-1: call void @__clarity_barrier
; CHECK-NOT: call
; CHECK: ret void
define void @parted(i64 %n) {
entry:
  %y = call i64 @__clarity_local_id(i32 1)
  %inside = icmp ult i64 %y, %n
  br i1 %inside, label %then, label %end

then:
  call void @__clarity_barrier(i32 1)
  br label %end

end:
  ret void
}
