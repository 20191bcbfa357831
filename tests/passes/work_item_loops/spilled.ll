; Private memory that two regions access gets a row in the barrier spill area; what one region uses stays on the stack.
; RUN: %clarity opt --passes='prepare-barriers,save-live-values,work-item-loops' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)
declare void @__clarity_barrier(i32)

; CHECK-LABEL: define void @k
; CHECK-SAME: #[[ATTRIBUTES:[0-9]+]]
define void @k(ptr addrspace(1) %a) {
; CHECK: group:
; CHECK: %mine = alloca [2 x i32]
; CHECK-NOT: %both = alloca
; CHECK: call ptr @__clarity_barrier_spill_area()
; CHECK: region0.after:
; CHECK-NEXT: br label %region1.before
; CHECK-NOT: call void @__clarity_barrier
; CHECK: attributes #[[ATTRIBUTES]] = { {{.*}}"clarity-spill-bytes"="16"
  %both = alloca [4 x i32], align 4
  %mine = alloca [2 x i32], align 4
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr %both, i64 %x
  store i32 1, ptr %p
  %q = getelementptr i32, ptr %mine, i64 %x
  store i32 7, ptr %q
  %m = load i32, ptr %mine
  store i32 %m, ptr addrspace(1) %a
  call void @__clarity_barrier(i32 1)
  %v = load i32, ptr %both
  store i32 %v, ptr addrspace(1) %a
  ret void
}
