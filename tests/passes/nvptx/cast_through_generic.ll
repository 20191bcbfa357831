; Casts between two named address spaces, for which the code generator has none, go by way of the generic one.
; RUN: %clarity opt --processor sm_90 --passes=cast-through-generic %s -o - | FileCheck %s

; CHECK-LABEL: define ptr addrspace(1) @shared
; CHECK-NEXT: %[[GENERIC:.*]] = addrspacecast ptr addrspace(3) %p to ptr
; CHECK-NEXT: %g = addrspacecast ptr %[[GENERIC]] to ptr addrspace(1)
; CHECK-NEXT: ret ptr addrspace(1) %g
define ptr addrspace(1) @shared(ptr addrspace(3) %p) {
  %g = addrspacecast ptr addrspace(3) %p to ptr addrspace(1)
  ret ptr addrspace(1) %g
}

; CHECK-LABEL: define <2 x ptr addrspace(3)> @vectors
; CHECK-NEXT: %[[GENERIC:.*]] = addrspacecast <2 x ptr addrspace(1)> %p to <2 x ptr>
; CHECK-NEXT: %s = addrspacecast <2 x ptr> %[[GENERIC]] to <2 x ptr addrspace(3)>
define <2 x ptr addrspace(3)> @vectors(<2 x ptr addrspace(1)> %p) {
  %s = addrspacecast <2 x ptr addrspace(1)> %p to <2 x ptr addrspace(3)>
  ret <2 x ptr addrspace(3)> %s
}

; These begin or end there.
; CHECK-LABEL: define ptr addrspace(1) @generic
; CHECK-NEXT: %g = addrspacecast ptr addrspace(3) %p to ptr
; CHECK-NEXT: %h = addrspacecast ptr %g to ptr addrspace(1)
; CHECK-NEXT: ret ptr addrspace(1) %h
define ptr addrspace(1) @generic(ptr addrspace(3) %p) {
  %g = addrspacecast ptr addrspace(3) %p to ptr
  %h = addrspacecast ptr %g to ptr addrspace(1)
  ret ptr addrspace(1) %h
}
