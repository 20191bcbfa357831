; SPDX-License-Identifier: Apache-2.0
; Every second element is stored by the work-item with its number, in place of the first half of the work-items.
; RUN: %clarity opt %s --passes='specialize-shape<64>,spread-items' | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
declare i64 @__clarity_local_id(i32) nounwind speculatable willreturn memory(none)
declare void @__clarity_barrier(i32) convergent nounwind

; CHECK-LABEL: define void @pairs
; CHECK: %[[OWN:.*]] = and i64 %{{.*}}, 1
; CHECK: icmp eq i64 %[[OWN]], 0
; CHECK-NOT: icmp ult
; CHECK: ret void
define void @pairs(ptr addrspace(3) %s) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  call void @__clarity_barrier(i32 1)
  %i = shl nuw nsw i64 %x, 1
  %inside = icmp ult i64 %i, 64
  br i1 %inside, label %then, label %end

then:
  %p = getelementptr i32, ptr addrspace(3) %s, i64 %i
  %next = or disjoint i64 %i, 1
  %q = getelementptr i32, ptr addrspace(3) %s, i64 %next
  %a = load i32, ptr addrspace(3) %p
  %b = load i32, ptr addrspace(3) %q
  %sum = add i32 %a, %b
  store i32 %sum, ptr addrspace(3) %p
  br label %end

end:
  call void @__clarity_barrier(i32 1)
  ret void
}

; Not without a barrier: no warp would execute such a work-group.
; CHECK-LABEL: define void @single
; CHECK: icmp ult i64 %i, 64
define void @single(ptr addrspace(3) %s) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %i = shl nuw nsw i64 %x, 1
  %inside = icmp ult i64 %i, 64
  br i1 %inside, label %then, label %end

then:
  %p = getelementptr i32, ptr addrspace(3) %s, i64 %i
  store i32 1, ptr addrspace(3) %p
  br label %end

end:
  ret void
}
