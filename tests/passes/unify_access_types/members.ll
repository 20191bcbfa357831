; Floats that are accessed beside integers of the same size are accessed as integers, so that packets access the members
; of a structure together.
; RUN: %clarity opt --passes='unify-access-types' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define void @particle
; CHECK: %[[BITS:.*]] = load i32, ptr addrspace(1) %p, align 4, !tbaa
; CHECK: %[[X:.*]] = bitcast i32 %[[BITS]] to float
; CHECK: %id = load i32, ptr addrspace(1) %pid
; CHECK: %more = fadd float %[[X]], 1.000000e+00
; CHECK: %[[OUT:.*]] = bitcast float %more to i32
; CHECK: store i32 %[[OUT]], ptr addrspace(1) %p
define void @particle(ptr addrspace(1) %p) {
  %x = load float, ptr addrspace(1) %p, align 4, !tbaa !0
  %pid = getelementptr inbounds i8, ptr addrspace(1) %p, i64 12
  %id = load i32, ptr addrspace(1) %pid
  %more = fadd float %x, 1.0
  %next = add i32 %id, 1
  store float %more, ptr addrspace(1) %p
  store i32 %next, ptr addrspace(1) %pid
  ret void
}

; Other arrays, other sizes, one place as both, far members, volatile and private memory stay as they are.
; CHECK-LABEL: define void @left
; CHECK-COUNT-6: load {{float|double|volatile float}}
; CHECK-NOT: bitcast
; CHECK: ret void
define void @left(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr %private) {
  %a = load float, ptr addrspace(1) %p
  %b = load i32, ptr addrspace(1) %q
  %p16 = getelementptr inbounds i8, ptr addrspace(1) %p, i64 16
  %c = load double, ptr addrspace(1) %p16
  %q0 = load float, ptr addrspace(1) %q
  %q400 = getelementptr inbounds i8, ptr addrspace(1) %q, i64 400
  %d = load float, ptr addrspace(1) %q400
  %q4 = getelementptr inbounds i8, ptr addrspace(1) %q, i64 4
  %e = load volatile float, ptr addrspace(1) %q4
  %r4 = getelementptr inbounds i8, ptr %private, i64 4
  %f = load float, ptr %private
  %g = load i32, ptr %r4
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"float", !2}
!2 = !{!"root"}
