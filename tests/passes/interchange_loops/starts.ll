; The loop around the work-items begins where the first of them does, as far as all share that: a work-group that begins
; far behind 0 does not pass by what is ahead of it.
; RUN: %clarity opt --passes='loop-simplify,interchange-loops<group-agnostic>' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32) nounwind speculatable willreturn memory(none)
declare i64 @__clarity_group_id(i32) nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64)

; CHECK-LABEL: define void @part
; CHECK: iterations:
; CHECK: [[AT:%.*]] = phi i64 [ 0, %entry ]
; CHECK: [[FIRST:%.*]] = add nuw nsw i64 %begin, [[AT]]
; CHECK: icmp ult i64 [[FIRST]], %end
; CHECK: add nuw nsw i64 %start, [[AT]]
define void @part(ptr addrspace(1) %a, ptr addrspace(1) %c, i64 %n) {
entry:
  %l = call i64 @__clarity_local_id(i32 0)
  %group = call i64 @__clarity_group_id(i32 0)
  %begin = shl nuw nsw i64 %group, 12
  %next = add nuw nsw i64 %begin, 4096
  %end = call i64 @llvm.umin.i64(i64 %n, i64 %next)
  %start = add nuw nsw i64 %begin, %l
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %i.next, %body ]
  %more = icmp ult i64 %i, %end
  br i1 %more, label %body, label %done
body:
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %value = load float, ptr addrspace(1) %from
  %to = getelementptr inbounds float, ptr addrspace(1) %c, i64 %i
  store float %value, ptr addrspace(1) %to
  %i.next = add nuw nsw i64 %i, 256
  br label %loop
done:
  ret void
}

; Work-groups whose bound is the same can be interleaved: they begin at 0.
; CHECK-LABEL: define void @same_bound
; CHECK: iterations:
; CHECK: [[AT:%.*]] = phi i64 [ 0, %entry ]
; CHECK-NEXT: icmp ult i64 [[AT]], %n
define void @same_bound(ptr addrspace(1) %a, ptr addrspace(1) %c, i64 %n) {
entry:
  %l = call i64 @__clarity_local_id(i32 0)
  %group = call i64 @__clarity_group_id(i32 0)
  %begin = shl nuw nsw i64 %group, 8
  %start = add nuw nsw i64 %begin, %l
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %i.next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %value = load float, ptr addrspace(1) %from
  %to = getelementptr inbounds float, ptr addrspace(1) %c, i64 %i
  store float %value, ptr addrspace(1) %to
  %i.next = add nuw nsw i64 %i, 65536
  br label %loop
done:
  ret void
}
