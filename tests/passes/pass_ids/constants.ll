; Constant expressions on local variables become instructions, also where no function needs parameters; lit runs passes
; with --verify-each, which finds a pass that hides such a change.
; RUN: %clarity opt --passes='pass-ids' %s -o - | FileCheck %s
@array = internal addrspace(3) global [8 x i32] undef

; CHECK-LABEL: define void @kernel
; CHECK: %[[PLACE:.*]] = getelementptr i8, ptr addrspace(3) @array, i64 8
; CHECK: store i32 1, ptr addrspace(3) %[[PLACE]]
define void @kernel() {
  store i32 1, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @array, i64 8)
  ret void
}
