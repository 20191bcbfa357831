; Orders and scopes that are no constants choose between copies of the operation, which inlining folds.
; RUN: %clarity opt --passes='lower-atomic-orders<scopes>' %s -o - | FileCheck %s
; RUN: %clarity opt --passes='lower-atomic-orders<scopes>,always-inline,simplifycfg' %s -o - \
; RUN:   | FileCheck %s --check-prefix=INLINE
; RUN: %clarity opt --passes=lower-atomic-orders %s -o - | FileCheck %s --check-prefix=HOST
target triple = "spir64-unknown-unknown"

declare ptr addrspace(1) @__clarity_ordered_global(ptr addrspace(1), i32, i32, i32) memory(none)
declare void @__clarity_fence(i32, i32)

; CHECK-LABEL: define i32 @add
; CHECK: switch i32 %order, label %[[SEQ:[^ ]+]] [
; CHECK-NEXT: i32 0, label %[[RELAXED:[^ ]+]]
; CHECK-NEXT: i32 2, label
; CHECK-NEXT: i32 3, label
; CHECK-NEXT: i32 4, label
; CHECK: [[RELAXED]]:
; CHECK: switch i32 %scope, label %[[SYSTEM:[^ ]+]] [
; CHECK-NEXT: i32 1, label %[[GROUP:[^ ]+]]
; CHECK-NEXT: i32 4, label %[[GROUP]]
; CHECK-NEXT: i32 0, label %[[GROUP]]
; CHECK-NEXT: i32 2, label %[[DEVICE:[^ ]+]]
; CHECK: [[GROUP]]:
; CHECK-NEXT: atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("block") monotonic
; CHECK: [[DEVICE]]:
; CHECK-NEXT: atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("device") monotonic
; CHECK: [[SYSTEM]]:
; CHECK-NEXT: atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
; CHECK: phi i32
; HOST-LABEL: define i32 @add
; HOST: switch i32 %order, label %[[SEQ:[^ ]+]] [
; HOST-NEXT: i32 0, label %[[RELAXED:[^ ]+]]
; HOST-NEXT: ]
; HOST: [[RELAXED]]:
; HOST-NEXT: atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
; HOST: [[SEQ]]:
; HOST-NEXT: atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst
; HOST: phi i32
; HOST-NOT: atomicrmw
; HOST: ret i32
define i32 @add(ptr addrspace(1) %p, i32 %order, i32 %scope) alwaysinline {
  %p1 = call ptr addrspace(1) @__clarity_ordered_global(ptr addrspace(1) %p, i32 %order, i32 0, i32 %scope)
  %a = atomicrmw add ptr addrspace(1) %p1, i32 1 seq_cst
  ret i32 %a
}

; INLINE-LABEL: define i32 @caller
; INLINE-NEXT: %[[OLD:.*]] = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("block") acq_rel
; INLINE-NEXT: ret i32 %[[OLD]]
define i32 @caller(ptr addrspace(1) %p) {
  %a = call i32 @add(ptr addrspace(1) %p, i32 4, i32 1)
  ret i32 %a
}

; A comparison is relaxed on the host where both orders are.
; HOST-LABEL: define { i32, i1 } @exchange
; HOST: %[[BOTH:.*]] = or i32 %order, %failure
; HOST: switch i32 %[[BOTH]]
; HOST-NEXT: i32 0, label %[[RELAXED:[^ ]+]]
; HOST-NEXT: ]
; HOST: [[RELAXED]]:
; HOST-NEXT: cmpxchg ptr addrspace(1) %p, i32 1, i32 2 monotonic monotonic
; HOST: cmpxchg ptr addrspace(1) %p, i32 1, i32 2 seq_cst seq_cst
; HOST: ret { i32, i1 }
define { i32, i1 } @exchange(ptr addrspace(1) %p, i32 %order, i32 %failure) {
  %p1 = call ptr addrspace(1) @__clarity_ordered_global(ptr addrspace(1) %p, i32 %order, i32 %failure, i32 2)
  %a = cmpxchg ptr addrspace(1) %p1, i32 1, i32 2 seq_cst seq_cst
  ret { i32, i1 } %a
}

; A relaxed fence is none.
; CHECK-LABEL: define void @fence
; CHECK: switch i32 %order, label %{{.*}} [
; CHECK-NEXT: i32 0, label %[[NONE:[^ ]+]]
; CHECK: [[NONE]]:
; CHECK-NEXT: br label
; CHECK-COUNT-4: fence syncscope("device")
; CHECK-NOT: fence
; CHECK: ret void
define void @fence(i32 %order) {
  call void @__clarity_fence(i32 %order, i32 2)
  ret void
}
