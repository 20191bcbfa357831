; Loops over work-items are made twice where neighbours are as far apart as the launch says: once for 1.
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,narrow-indices,loop-simplify,version-strides' %s -o - | FileCheck %s
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,narrow-indices,loop-simplify,version-strides,loop-simplify,lcssa,packets<8x1x1>' %s -o - | FileCheck %s --check-prefix=VECTORS
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)

; One condition for both strides; in the second form the index is the id.
; CHECK-LABEL: define void @two
; CHECK-DAG: %[[A:.*]] = icmp eq i32 %{{.*}}, 1
; CHECK-DAG: %[[B:.*]] = icmp eq i32 %{{.*}}, 1
; CHECK: %[[BOTH:.*]] = and i1
; CHECK: br i1 %[[BOTH]], label %unit.strides, label %any.strides
; CHECK: entry.inner:
; CHECK-NOT: mul
; CHECK: region0.x.next.inner:
; VECTORS-LABEL: define void @two
; VECTORS: load <8 x float>, ptr addrspace(1)
; VECTORS: store <8 x float>
define void @two(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %inca, i32 %start, i32 %incout) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %scaled = mul nsw i32 %x, %inca
  %at = add nsw i32 %scaled, %start
  %wide = sext i32 %at to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %to = mul nsw i32 %incout, %x
  %towide = sext i32 %to to i64
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %towide
  store float %v, ptr addrspace(1) %o
  ret void
}

; A member of a structure that is passed by value is known ahead; what a buffer holds is not.
; CHECK-LABEL: define void @members
; CHECK: load i64, ptr %
; CHECK: br i1 %{{.*}}, label %unit.strides, label %any.strides
define void @members(ptr addrspace(1) %a, ptr noalias readonly dereferenceable(32) %shape) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %m = getelementptr inbounds i8, ptr %shape, i64 16
  %s = load i64, ptr %m
  %at = mul nsw i64 %s, %id
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @loaded
; CHECK-NOT: unit.strides
; CHECK: ret void
define void @loaded(ptr addrspace(1) %a, ptr addrspace(1) %shape) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %s = load i64, ptr addrspace(1) %shape
  %at = mul nsw i64 %s, %id
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; The factor is the length of a column here: neighbours along y are side by side.
; CHECK-LABEL: define void @transposed
; CHECK-NOT: unit.strides
; CHECK: ret void
define void @transposed(ptr addrspace(1) %a, i64 %height) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %y = call i64 @__clarity_global_id(i32 1)
  %column = mul nsw i64 %x, %height
  %at = add nsw i64 %column, %y
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; And that of a row here, which each work-item walks along.
; CHECK-LABEL: define void @rows
; CHECK-NOT: unit.strides
; CHECK: ret void
define void @rows(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %length) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %row = mul nsw i64 %x, %length
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = add nsw i64 %row, %k
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p
  %more = fadd float %sum, %v
  %next = add nuw nsw i64 %k, 1
  %again = icmp slt i64 %next, 100
  br i1 %again, label %loop, label %end
end:
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %more, ptr addrspace(1) %o
  ret void
}
