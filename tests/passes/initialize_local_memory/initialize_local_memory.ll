; RUN: %clarity opt --passes=initialize-local-memory %s -o - | FileCheck %s

@variable.tile = internal addrspace(3) global [64 x float] undef, align 4

; CHECK-LABEL: define void @variable(
; CHECK: %is.first = icmp eq i64 %{{.*}}, 0
; CHECK-NEXT: br i1 %is.first, label %[[FIRST:.*]], label %[[REST:.*]]
; CHECK: [[FIRST]]:
; CHECK: %local = call ptr addrspace(3) @__clarity_local_memory()
; CHECK: %local.bytes = call i64 @__clarity_local_bytes()
; CHECK: call void @llvm.memset.p3.i64(ptr addrspace(3) align 64 %local, i8 0, i64 %local.bytes, i1 false)
; CHECK: [[REST]]:
; CHECK-NEXT: call void @__clarity_barrier(i32 1)
; CHECK-NEXT: store float
define void @variable() {
  store float 1.0, ptr addrspace(3) @variable.tile
  ret void
}

; CHECK-LABEL: define void @argument(ptr addrspace(3) %scratch)
; CHECK: call void @llvm.memset
define void @argument(ptr addrspace(3) noalias %scratch) {
  store float 1.0, ptr addrspace(3) %scratch
  ret void
}

; CHECK-LABEL: define void @none(
; CHECK-NEXT: ret void
define void @none(ptr addrspace(1) %out) {
  ret void
}

; CHECK-LABEL: define internal void @function(
; CHECK-NEXT: ret void
define internal void @function(ptr addrspace(3) %scratch) {
  ret void
}
