; Where each thread has copies of reductions, atomic functions on them are plain accesses; others stay.
; RUN: %clarity opt --passes='lower-unshared-atomics<reductions>' %s -o - | FileCheck %s
; RUN: %clarity opt --passes=lower-unshared-atomics %s -o - | FileCheck %s --check-prefix=SHARED

; CHECK-LABEL: define void @count
; CHECK: %[[OLD:.*]] = load i32, ptr addrspace(1) %p
; CHECK: %[[NEW:.*]] = add i32 %[[OLD]], 1
; CHECK: store i32 %[[NEW]], ptr addrspace(1) %p
; CHECK: load i64, ptr addrspace(4) %q
; CHECK: atomicrmw add ptr addrspace(1) %r
; SHARED-LABEL: define void @count
; SHARED: atomicrmw volatile add ptr addrspace(1) %p
; SHARED: atomicrmw volatile umax ptr addrspace(4) %q
; SHARED: atomicrmw add ptr addrspace(1) %r
define void @count(ptr addrspace(1) %p, ptr addrspace(4) %q, ptr addrspace(1) %r) {
  %a = atomicrmw volatile add ptr addrspace(1) %p, i32 1 monotonic, !clarity.reduction !0
  %b = atomicrmw volatile umax ptr addrspace(4) %q, i64 9 seq_cst, !clarity.reduction !0
  %c = atomicrmw add ptr addrspace(1) %r, i32 1 monotonic
  ret void
}

!0 = !{}
