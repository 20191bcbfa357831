; Atomic accesses of local memory are plain ones; those of global memory and through generic pointers stay.
; RUN: %clarity opt --passes=lower-unshared-atomics %s -o - | FileCheck %s

; CHECK-LABEL: define i32 @local
; CHECK-NOT: atomic
; CHECK-NOT: cmpxchg
; CHECK: %[[OLD:.*]] = load i32, ptr addrspace(3) %p
; CHECK: %[[NEW:.*]] = add i32 %[[OLD]], %v
; CHECK: store i32 %[[NEW]], ptr addrspace(3) %p
; CHECK: select
; CHECK: ret i32 %[[OLD]]
define i32 @local(ptr addrspace(3) %p, i32 %v) {
  %a = atomicrmw volatile add ptr addrspace(3) %p, i32 %v seq_cst
  %b = cmpxchg ptr addrspace(3) %p, i32 %a, i32 %v seq_cst seq_cst
  %c = load atomic i32, ptr addrspace(3) %p monotonic, align 4
  store atomic i32 %c, ptr addrspace(3) %p release, align 4
  ret i32 %a
}

; CHECK-LABEL: define i32 @others
; CHECK: atomicrmw add ptr addrspace(1)
; CHECK: atomicrmw add ptr addrspace(4)
; CHECK: load atomic
define i32 @others(ptr addrspace(1) %p, ptr addrspace(4) %q, i32 %v) {
  %a = atomicrmw add ptr addrspace(1) %p, i32 %v seq_cst
  %b = atomicrmw add ptr addrspace(4) %q, i32 %v seq_cst
  %c = load atomic i32, ptr addrspace(1) %p monotonic, align 4
  %d = add i32 %a, %b
  %e = add i32 %c, %d
  ret i32 %e
}
