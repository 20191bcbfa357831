; Orders and scopes that are constants become those of the instruction; without scopes all are the system's, and a
; read-modify-write is relaxed or sequentially consistent.
; RUN: %clarity opt --passes='lower-atomic-orders<scopes>' %s -o - | FileCheck %s
; RUN: %clarity opt --passes=lower-atomic-orders %s -o - | FileCheck %s --check-prefix=HOST
target triple = "spir64-unknown-unknown"

declare ptr addrspace(1) @__clarity_ordered_global(ptr addrspace(1), i32, i32, i32) memory(none)
declare ptr addrspace(3) @__clarity_ordered_local(ptr addrspace(3), i32, i32, i32) memory(none)
declare ptr addrspace(4) @__clarity_ordered_generic(ptr addrspace(4), i32, i32, i32) memory(none)
declare void @__clarity_fence(i32, i32)

; CHECK-NOT: __clarity
; HOST-NOT: {{__clarity|syncscope}}
; CHECK-LABEL: define i32 @updates
; CHECK-NEXT: atomicrmw volatile add ptr addrspace(1) %p, i32 1 syncscope("device") monotonic
; CHECK-NEXT: atomicrmw volatile add ptr addrspace(1) %p, i32 2 syncscope("block") acquire
; CHECK-NEXT: atomicrmw volatile add ptr addrspace(3) %q, i32 3 syncscope("block") release
; CHECK-NEXT: atomicrmw volatile add ptr addrspace(4) %r, i32 4 acq_rel
; CHECK-NEXT: atomicrmw volatile add ptr addrspace(4) %r, i32 5 syncscope("device") seq_cst
; CHECK-NEXT: atomicrmw volatile add ptr addrspace(4) %r, i32 6 syncscope("block") seq_cst
; HOST-LABEL: define i32 @updates
; HOST-NEXT: atomicrmw volatile add ptr addrspace(1) %p, i32 1 monotonic
; HOST-NEXT: atomicrmw volatile add ptr addrspace(1) %p, i32 2 seq_cst
; HOST-NEXT: atomicrmw volatile add ptr addrspace(3) %q, i32 3 seq_cst
; HOST-NEXT: atomicrmw volatile add ptr addrspace(4) %r, i32 4 seq_cst
; HOST-NEXT: atomicrmw volatile add ptr addrspace(4) %r, i32 5 seq_cst
; HOST-NEXT: atomicrmw volatile add ptr addrspace(4) %r, i32 6 seq_cst
define i32 @updates(ptr addrspace(1) %p, ptr addrspace(3) %q, ptr addrspace(4) %r) {
  %p1 = call ptr addrspace(1) @__clarity_ordered_global(ptr addrspace(1) %p, i32 0, i32 0, i32 2)
  %a = atomicrmw volatile add ptr addrspace(1) %p1, i32 1 seq_cst
  %p2 = call ptr addrspace(1) @__clarity_ordered_global(ptr addrspace(1) %p, i32 2, i32 0, i32 1)
  %b = atomicrmw volatile add ptr addrspace(1) %p2, i32 2 seq_cst
  %p3 = call ptr addrspace(3) @__clarity_ordered_local(ptr addrspace(3) %q, i32 3, i32 0, i32 4)
  %c = atomicrmw volatile add ptr addrspace(3) %p3, i32 3 seq_cst
  %p4 = call ptr addrspace(4) @__clarity_ordered_generic(ptr addrspace(4) %r, i32 4, i32 0, i32 3)
  %d = atomicrmw volatile add ptr addrspace(4) %p4, i32 4 seq_cst
  %p5 = call ptr addrspace(4) @__clarity_ordered_generic(ptr addrspace(4) %r, i32 5, i32 0, i32 2)
  %e = atomicrmw volatile add ptr addrspace(4) %p5, i32 5 seq_cst
  %p6 = call ptr addrspace(4) @__clarity_ordered_generic(ptr addrspace(4) %r, i32 5, i32 0, i32 0)
  %f = atomicrmw volatile add ptr addrspace(4) %p6, i32 6 seq_cst
  ret i32 %b
}

; Orders that an access cannot have are the strongest one, on failure their half that it can have.
; CHECK-LABEL: define i32 @accesses
; CHECK-NEXT: load atomic volatile i32, ptr addrspace(1) %p syncscope("device") monotonic
; CHECK-NEXT: load atomic volatile i32, ptr addrspace(1) %p syncscope("block") acquire
; CHECK-NEXT: load atomic volatile i32, ptr addrspace(1) %p seq_cst
; CHECK-NEXT: store atomic volatile i32 %b, ptr addrspace(1) %p syncscope("block") release
; CHECK-NEXT: store atomic volatile i32 %b, ptr addrspace(1) %p syncscope("device") seq_cst
; CHECK-NEXT: cmpxchg volatile ptr addrspace(1) %p, i32 1, i32 2 syncscope("device") monotonic monotonic
; CHECK-NEXT: cmpxchg volatile ptr addrspace(1) %p, i32 1, i32 2 syncscope("block") acq_rel acquire
; CHECK-NEXT: cmpxchg volatile ptr addrspace(1) %p, i32 1, i32 2 release monotonic
; HOST-LABEL: define i32 @accesses
; HOST-NEXT: load atomic volatile i32, ptr addrspace(1) %p monotonic
; HOST-NEXT: load atomic volatile i32, ptr addrspace(1) %p acquire
; HOST-NEXT: load atomic volatile i32, ptr addrspace(1) %p seq_cst
; HOST-NEXT: store atomic volatile i32 %b, ptr addrspace(1) %p release
; HOST-NEXT: store atomic volatile i32 %b, ptr addrspace(1) %p seq_cst
; HOST: cmpxchg volatile ptr addrspace(1) %p, i32 1, i32 2 monotonic monotonic
; HOST: cmpxchg volatile ptr addrspace(1) %p, i32 1, i32 2 seq_cst seq_cst
; HOST: cmpxchg volatile ptr addrspace(1) %p, i32 1, i32 2 seq_cst seq_cst
define i32 @accesses(ptr addrspace(1) %p) {
  %p1 = call ptr addrspace(1) @__clarity_ordered_global(ptr addrspace(1) %p, i32 0, i32 0, i32 2)
  %a = load atomic volatile i32, ptr addrspace(1) %p1 seq_cst, align 4
  %p2 = call ptr addrspace(1) @__clarity_ordered_global(ptr addrspace(1) %p, i32 2, i32 0, i32 1)
  %b = load atomic volatile i32, ptr addrspace(1) %p2 seq_cst, align 4
  %p3 = call ptr addrspace(1) @__clarity_ordered_global(ptr addrspace(1) %p, i32 3, i32 0, i32 3)
  %c = load atomic volatile i32, ptr addrspace(1) %p3 seq_cst, align 4
  %p4 = call ptr addrspace(1) @__clarity_ordered_global(ptr addrspace(1) %p, i32 3, i32 0, i32 4)
  store atomic volatile i32 %b, ptr addrspace(1) %p4 seq_cst, align 4
  %p5 = call ptr addrspace(1) @__clarity_ordered_global(ptr addrspace(1) %p, i32 2, i32 0, i32 2)
  store atomic volatile i32 %b, ptr addrspace(1) %p5 seq_cst, align 4
  %p6 = call ptr addrspace(1) @__clarity_ordered_global(ptr addrspace(1) %p, i32 0, i32 0, i32 2)
  %d = cmpxchg volatile ptr addrspace(1) %p6, i32 1, i32 2 seq_cst seq_cst
  %p7 = call ptr addrspace(1) @__clarity_ordered_global(ptr addrspace(1) %p, i32 4, i32 4, i32 1)
  %e = cmpxchg volatile ptr addrspace(1) %p7, i32 1, i32 2 seq_cst seq_cst
  %p8 = call ptr addrspace(1) @__clarity_ordered_global(ptr addrspace(1) %p, i32 3, i32 3, i32 3)
  %f = cmpxchg volatile ptr addrspace(1) %p8, i32 1, i32 2 seq_cst seq_cst
  ret i32 %a
}

; One address may serve several operations; those of the program itself stay as they are.
; CHECK-LABEL: define void @others
; CHECK-NEXT: load atomic i32, ptr addrspace(1) %p syncscope("device") acquire
; CHECK-NEXT: store atomic i32 %a, ptr addrspace(1) %p syncscope("device") seq_cst
; CHECK-NEXT: atomicrmw add ptr addrspace(1) %p, i32 1 release
define void @others(ptr addrspace(1) %p) {
  %p1 = call ptr addrspace(1) @__clarity_ordered_global(ptr addrspace(1) %p, i32 2, i32 0, i32 2)
  %a = load atomic i32, ptr addrspace(1) %p1 seq_cst, align 4
  store atomic i32 %a, ptr addrspace(1) %p1 seq_cst, align 4
  %b = atomicrmw add ptr addrspace(1) %p, i32 1 release
  ret void
}

; CHECK-LABEL: define void @fences
; CHECK-NEXT: fence syncscope("singlethread") acq_rel
; CHECK-NEXT: fence syncscope("block") acquire
; CHECK-NEXT: fence syncscope("device") release
; CHECK-NEXT: fence seq_cst
; CHECK-NEXT: ret void
; HOST-LABEL: define void @fences
; HOST-NEXT: fence acq_rel
; HOST-NEXT: fence acquire
; HOST-NEXT: fence release
; HOST-NEXT: fence seq_cst
; HOST-NEXT: ret void
define void @fences() {
  call void @__clarity_fence(i32 4, i32 0)
  call void @__clarity_fence(i32 2, i32 4)
  call void @__clarity_fence(i32 3, i32 2)
  call void @__clarity_fence(i32 5, i32 3)
  call void @__clarity_fence(i32 0, i32 3)
  ret void
}
