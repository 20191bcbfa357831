; Where a generic pointer leads, if it was made of pointers to one kind of memory.
; RUN: %clarity opt --passes=resolve-generic-pointers %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i1 @__clarity_is_local(ptr addrspace(4)) memory(none)
declare i1 @__clarity_is_private(ptr addrspace(4)) memory(none)

; CHECK-LABEL: define i1 @local_element
; CHECK: ret i1 true
define i1 @local_element(ptr addrspace(3) %p) {
  %g = addrspacecast ptr addrspace(3) %p to ptr addrspace(4)
  %e = getelementptr i32, ptr addrspace(4) %g, i64 5
  %l = call i1 @__clarity_is_local(ptr addrspace(4) %e)
  ret i1 %l
}

; CHECK-LABEL: define i1 @global_is_not_private
; CHECK: ret i1 false
define i1 @global_is_not_private(ptr addrspace(1) %p) {
  %g = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
  %l = call i1 @__clarity_is_private(ptr addrspace(4) %g)
  ret i1 %l
}

; CHECK-LABEL: define i1 @either_variable
; CHECK: ret i1 true
define i1 @either_variable(i1 %c) {
  %a = alloca i32
  %b = alloca i32
  %ga = addrspacecast ptr %a to ptr addrspace(4)
  %gb = addrspacecast ptr %b to ptr addrspace(4)
  %g = select i1 %c, ptr addrspace(4) %ga, ptr addrspace(4) %gb
  %l = call i1 @__clarity_is_private(ptr addrspace(4) %g)
  ret i1 %l
}

; CHECK-LABEL: define i1 @either_memory
; CHECK: call i1 @__clarity_is_local
define i1 @either_memory(i1 %c, ptr addrspace(1) %p, ptr addrspace(3) %q) {
  %gp = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
  %gq = addrspacecast ptr addrspace(3) %q to ptr addrspace(4)
  %g = select i1 %c, ptr addrspace(4) %gp, ptr addrspace(4) %gq
  %l = call i1 @__clarity_is_local(ptr addrspace(4) %g)
  ret i1 %l
}

; CHECK-LABEL: define i1 @unknown
; CHECK: call i1 @__clarity_is_local
define i1 @unknown(ptr addrspace(4) %g) {
  %l = call i1 @__clarity_is_local(ptr addrspace(4) %g)
  ret i1 %l
}
