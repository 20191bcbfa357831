; Atomic operations of a packet at one place become one; elsewhere they go lane by lane.
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,loop-simplify,lcssa,packets<4x1x1>' %s -o - | FileCheck %s
declare i64 @__clarity_global_id(i32)

; The sum of the lanes goes there, and what was there comes back with what the lanes before have added.
; CHECK-LABEL: define void @sum
; CHECK: %[[V:.*]] = load <4 x i32>
; CHECK: packet.atomic:
; CHECK-COUNT-1: atomicrmw add ptr addrspace(1) %c, i32
; CHECK: sub <4 x i32>
; CHECK: add <4 x i32>
; CHECK: packet.atomic.done:
; CHECK-NOT: atomicrmw
; CHECK: store <4 x i32>
; Under a mask the inactive lanes contribute nothing; without active lanes there is no access.
; CHECK: load
; CHECK: select <4 x i1>
; CHECK: br i1 %{{.*}}, label %packet.atomic
; CHECK: atomicrmw
define void @sum(ptr addrspace(1) %a, ptr addrspace(1) %c) {
  %x = call i64 @__clarity_global_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %old = atomicrmw add ptr addrspace(1) %c, i32 %v monotonic
  store i32 %old, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @most
; CHECK-COUNT-1: atomicrmw umax ptr addrspace(1) %c, i32
; CHECK-LABEL: define void @exchanges
; CHECK-COUNT-4: atomicrmw xchg
; CHECK-LABEL: define void @floats
; CHECK-COUNT-4: atomicrmw fadd
define void @most(ptr addrspace(1) %a, ptr addrspace(1) %c) {
  %x = call i64 @__clarity_global_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %old = atomicrmw umax ptr addrspace(1) %c, i32 %v monotonic
  ret void
}
define void @exchanges(ptr addrspace(1) %a, ptr addrspace(1) %c) {
  %x = call i64 @__clarity_global_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %old = atomicrmw xchg ptr addrspace(1) %c, i32 %v monotonic
  store i32 %old, ptr addrspace(1) %p
  ret void
}
define void @floats(ptr addrspace(1) %a, ptr addrspace(1) %c) {
  %x = call i64 @__clarity_global_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %p
  %old = atomicrmw fadd ptr addrspace(1) %c, float %v monotonic
  ret void
}
