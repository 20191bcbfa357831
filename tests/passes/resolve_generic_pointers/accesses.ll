; Accesses through generic pointers whose memory is seen go through pointers to that memory.
; RUN: %clarity opt --passes=resolve-generic-pointers %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define float @private_element
; CHECK: [[ELEMENT:%.*]] = getelementptr float, ptr %array, i64 %i
; CHECK: load float, ptr [[ELEMENT]]
; CHECK-NOT: addrspacecast
; CHECK: ret float
define float @private_element(i64 %i) {
  %array = alloca [4 x float]
  %g = addrspacecast ptr %array to ptr addrspace(4)
  %e = getelementptr float, ptr addrspace(4) %g, i64 %i
  %x = load float, ptr addrspace(4) %e
  ret float %x
}

; CHECK-LABEL: define void @local_element
; CHECK: store i32 1, ptr addrspace(3) %p
define void @local_element(ptr addrspace(3) %p) {
  %g = addrspacecast ptr addrspace(3) %p to ptr addrspace(4)
  store i32 1, ptr addrspace(4) %g
  ret void
}

; Either kind of memory: the pointer stays generic.
; CHECK-LABEL: define i32 @either
; CHECK: load i32, ptr addrspace(4)
define i32 @either(i1 %c, ptr addrspace(3) %p, ptr addrspace(1) %q) {
  %gp = addrspacecast ptr addrspace(3) %p to ptr addrspace(4)
  %gq = addrspacecast ptr addrspace(1) %q to ptr addrspace(4)
  %g = select i1 %c, ptr addrspace(4) %gp, ptr addrspace(4) %gq
  %x = load i32, ptr addrspace(4) %g
  ret i32 %x
}
