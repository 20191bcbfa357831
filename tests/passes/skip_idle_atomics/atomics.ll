; Atomic operations that are loops around an exchange, and change nothing in many cases.
; RUN: %clarity opt --passes='skip-idle-atomics' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define i32 @minimum
; CHECK: %[[FIRST:.*]] = load atomic volatile i32, ptr addrspace(1) %p syncscope("agent") monotonic, align 4
; CHECK: atomic.compare:
; CHECK: %old = phi i32 [ %[[FIRST]], %entry ], [ %[[FOUND:.*]], %atomic.exchange ]
; CHECK: %[[LESS:.*]] = icmp ule i32 %old, %v
; CHECK: %[[NEW:.*]] = select i1 %[[LESS]], i32 %old, i32 %v
; CHECK: %[[IDLE:.*]] = icmp eq i32 %[[NEW]], %old
; CHECK: br i1 %[[IDLE]], label %[[END:.*]], label %atomic.exchange
; CHECK: atomic.exchange:
; CHECK: %[[PAIR:.*]] = cmpxchg weak volatile ptr addrspace(1) %p, i32 %old, i32 %[[NEW]] syncscope("agent") monotonic monotonic
; CHECK: %[[FOUND]] = extractvalue { i32, i1 } %[[PAIR]], 0
; CHECK: br i1 %{{.*}}, label %[[END]], label %atomic.compare
; CHECK: ret i32 %old
define i32 @minimum(ptr addrspace(1) %p, i32 %v) {
entry:
  %old = atomicrmw volatile umin ptr addrspace(1) %p, i32 %v syncscope("agent") monotonic, align 4
  ret i32 %old
}

; The result is not used.
; CHECK-LABEL: define void @maximum
; CHECK: load atomic i64
; CHECK: cmpxchg weak
define void @maximum(ptr addrspace(1) %p, i64 %v) {
  %old = atomicrmw max ptr addrspace(1) %p, i64 %v monotonic, align 8
  ret void
}

; CHECK-LABEL: define i32 @bits
; CHECK: or i32
; CHECK: cmpxchg weak
define i32 @bits(ptr addrspace(1) %p, i32 %v) {
  %old = atomicrmw or ptr addrspace(1) %p, i32 %v monotonic, align 4
  ret i32 %old
}

; One instruction, operations that order others, and those that change memory stay.
; CHECK-LABEL: define i32 @others
; CHECK-NOT: cmpxchg
; CHECK: ret i32
define i32 @others(ptr addrspace(1) %p, i32 %v) {
  %a = atomicrmw or ptr addrspace(1) %p, i32 %v monotonic, align 4
  %b = atomicrmw umin ptr addrspace(1) %p, i32 %v seq_cst, align 4
  %c = atomicrmw add ptr addrspace(1) %p, i32 %v monotonic, align 4
  ret i32 %c
}

; These fences need no lock: the first releases nothing, the second waits for all stores, the third orders one thread.
; CHECK-LABEL: define i32 @fences
; CHECK: cmpxchg weak
define i32 @fences(ptr addrspace(1) %p, i32 %v) {
  fence acquire
  fence seq_cst
  fence syncscope("singlethread") release
  %old = atomicrmw umin ptr addrspace(1) %p, i32 %v monotonic, align 4
  ret i32 %old
}
