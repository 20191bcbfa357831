; A window of a row whose ends are clamped is consecutive along x for most work-items: lanes lie along x, although the
; loop ends in different iterations and along y it does not.
; RUN: %clarity opt --processor x86-64-v4 --passes='specialize-shape<64x64x1>,prepare-barriers,save-live-values,work-item-loops' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)

; CHECK-LABEL: define void @clamped
; CHECK-SAME: #[[CLAMPED:[0-9]+]]
define void @clamped(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %weights, ptr addrspace(1) %others, i64 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nsw i64 %y, %n
  %left = add nsw i64 %x, -3
  %right = add nsw i64 %x, 3
  %from = call i64 @llvm.smax.i64(i64 %left, i64 0)
  %to = call i64 @llvm.smin.i64(i64 %right, i64 %n)
  br label %header
header:
  %i = phi i64 [ %from, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %more, %body ]
  %again = icmp slt i64 %i, %to
  br i1 %again, label %body, label %end
body:
  %at = add nsw i64 %row, %i
  %p = getelementptr float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p
  %j = sub nsw i64 %i, %from
  %q = getelementptr float, ptr addrspace(1) %weights, i64 %j
  %w = load float, ptr addrspace(1) %q
  %s = getelementptr float, ptr addrspace(1) %others, i64 %j
  %u = load float, ptr addrspace(1) %s
  %weight = fmul float %w, %u
  %product = fmul float %v, %weight
  %more = fadd float %sum, %product
  %next = add nsw i64 %i, 1
  br label %header
end:
  %o = add nsw i64 %row, %x
  %r = getelementptr float, ptr addrspace(1) %b, i64 %o
  store float %sum, ptr addrspace(1) %r
  ret void
}

; What is not clamped but steps over rows along x stays along y.
; CHECK-LABEL: define void @columns
; CHECK-SAME: #[[COLUMNS:[0-9]+]]
; CHECK-DAG: attributes #[[CLAMPED]] = { {{.*}}"clarity-lanes-along"="0"
; CHECK-DAG: attributes #[[COLUMNS]] = { {{.*}}"clarity-lanes-along"="1"
define void @columns(ptr addrspace(1) %a, i64 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %from = call i64 @llvm.smax.i64(i64 %x, i64 1)
  %column = mul nsw i64 %from, %n
  %at = add nsw i64 %column, %y
  %p = getelementptr float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p
  %w = fadd float %v, 1.0
  store float %w, ptr addrspace(1) %p
  ret void
}
