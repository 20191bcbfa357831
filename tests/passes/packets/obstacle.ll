; A region that cannot be built keeps its scalar loop; the others do not mind, and the function says so.
; RUN: %clarity opt --passes='prepare-barriers,save-live-values,work-item-loops,loop-simplify,lcssa,packets<4x1x1>' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)
declare void @__clarity_barrier(i32)

; CHECK-LABEL: define void @k
; CHECK-SAME: #[[ATTRIBUTES:[0-9]+]]
; CHECK: region1.x:
; CHECK: phi i32 {{.*}} !clarity.counter
; CHECK: call i32 asm
; CHECK: region1.x.next:
; CHECK: br i1 {{.*}} !clarity.item.loop
; CHECK: store <4 x i32> splat (i32 7)
; CHECK: attributes #[[ATTRIBUTES]] = { {{.*}}"clarity-scalar-regions"="yes"
define void @k(ptr addrspace(1) %a) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  store i32 7, ptr addrspace(1) %p
  call void @__clarity_barrier(i32 1)
  %v = load i32, ptr addrspace(1) %p
  %r = call i32 asm "mov $1, $0", "=r,r"(i32 %v)
  store i32 %r, ptr addrspace(1) %p
  ret void
}
