; SPDX-License-Identifier: Apache-2.0
; Local memory of a work-group that one warp executes becomes registers; elements of other threads come by shuffles.
; RUN: %clarity opt --processor sm_90 %s --passes='promote-local-memory<1>' | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
declare i64 @__clarity_local_id(i32) nounwind speculatable willreturn memory(none)
declare void @__clarity_barrier(i32) convergent nounwind

; CHECK-LABEL: define float @neighbour
; CHECK-NOT: addrspace(3) %p
; CHECK-NOT: __clarity_barrier
; CHECK: %[[RAW:.*]] = bitcast float %v to i32
; CHECK: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %[[RAW]], i32 %{{.*}}, i32 31)
; CHECK-NOT: __clarity_barrier
; CHECK: ret float
define float @neighbour(ptr addrspace(3) %s, float %v) {
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(3) %s, i64 %x
  store float %v, ptr addrspace(3) %p
  call void @__clarity_barrier(i32 1)
  %other = xor i64 %x, 1
  %q = getelementptr float, ptr addrspace(3) %s, i64 %other
  %result = load float, ptr addrspace(3) %q
  ret float %result
}

; Not where a thread stores an element of another one.
; CHECK-LABEL: define void @turned
; CHECK: store float %v, ptr addrspace(3) %p
define void @turned(ptr addrspace(3) %s, float %v) {
  %x = call i64 @__clarity_local_id(i32 0)
  %other = sub i64 31, %x
  %p = getelementptr float, ptr addrspace(3) %s, i64 %other
  store float %v, ptr addrspace(3) %p
  ret void
}
