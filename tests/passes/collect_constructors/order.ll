; Constructors become one kernel, in the order of their priorities and then of their sources.
; RUN: %clarity opt --passes=collect-constructors %s -o - | FileCheck %s
; CHECK-NOT: llvm.global_ctors
@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 65535, ptr @of_one, ptr null },
  { i32, ptr, ptr } { i32 101, ptr @early, ptr null },
  { i32, ptr, ptr } { i32 65535, ptr @of_other, ptr null }]
@a = addrspace(1) global i32 0
; A guard in a constructor is asked by one work-item.
@_ZGV1b = linkonce_odr addrspace(1) global i8 0

; CHECK: define internal spir_func void @of_one()
define internal spir_kernel void @of_one() {
  %done = load i8, ptr addrspace(1) @_ZGV1b
  store i32 1, ptr addrspace(1) @a
  ret void
}
define internal spir_kernel void @early() {
  store i32 2, ptr addrspace(1) @a
  ret void
}
define internal spir_kernel void @of_other() {
  store i32 3, ptr addrspace(1) @a
  ret void
}

; CHECK-LABEL: define spir_kernel void @__clarity_constructors()
; CHECK-NEXT: entry:
; CHECK-NEXT: call spir_func void @early()
; CHECK-NEXT: call spir_func void @of_one()
; CHECK-NEXT: call spir_func void @of_other()
; CHECK-NEXT: ret void
