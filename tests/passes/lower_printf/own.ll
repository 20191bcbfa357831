; SPDX-License-Identifier: Apache-2.0
; A function of the program that is called printf is no printf.
; RUN: %clarity opt --passes=lower-printf %s -o - | FileCheck %s

; CHECK: define void @printf(ptr addrspace(1) %p)
; CHECK-NOT: __clarity_printf
define void @printf(ptr addrspace(1) %p) {
  ret void
}
define void @k(ptr addrspace(1) %p) {
  call void @printf(ptr addrspace(1) %p)
  ret void
}
