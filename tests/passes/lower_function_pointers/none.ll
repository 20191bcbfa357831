; Without pointers to functions nothing changes; kernels that blocks name are launched, not called.
; RUN: %clarity opt --passes=lower-function-pointers %s -o - | FileCheck %s
target triple = "spir64-unknown-unknown"

; CHECK-NOT: __clarity_call_through
; CHECK: store ptr @block, ptr addrspace(1) %p
declare spir_func void @f()
define spir_kernel void @block() {
  ret void
}
define spir_kernel void @k(ptr addrspace(1) %p) {
  call spir_func void @f()
  store ptr @block, ptr addrspace(1) %p
  ret void
}
