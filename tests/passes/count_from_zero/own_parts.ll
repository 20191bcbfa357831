; Loops that begin at an index of the work-item and run as many iterations in each.
; RUN: %clarity opt --passes=loop-simplify,count-from-zero --verify-each %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)
declare i64 @__clarity_group_id(i32)

; for (int i = id * n; i < (id + 1) * n; i++)
; CHECK-LABEL: define void @signed
; CHECK: %count = phi i32 [ 0, %entry ], [ %counted, %body ]
; CHECK: %[[MORE:.*]] = icmp slt i32 %count, %n
; CHECK: br i1 %[[MORE]], label %body, label %exit
; CHECK: body:
; CHECK: %index = add nsw i32 %begin, %count
; CHECK: sext i32 %index to i64
; CHECK: %counted = add nuw nsw i32 %count, 1
define void @signed(ptr addrspace(1) %a, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %g = trunc i64 %id to i32
  %begin = mul nsw i32 %n, %g
  br label %header
header:
  %i = phi i32 [ %begin, %entry ], [ %next, %body ]
  %after = add nsw i32 %g, 1
  %end = mul nsw i32 %after, %n
  %more = icmp slt i32 %i, %end
  br i1 %more, label %body, label %exit
body:
  %at = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %at
  store i32 1, ptr addrspace(1) %p
  %next = add nsw i32 %i, 1
  br label %header
exit:
  ret void
}

; size_t: the ids' range says that nothing wraps. The counter is used behind the loop.
; CHECK-LABEL: define i64 @sizes
; CHECK: %[[N:.*]] = zext i32 %n to i64
; CHECK: %index = add nuw i64 %begin, %count
; CHECK: icmp ult i64 %count, %{{.*}}
; CHECK: ret i64 %index
define i64 @sizes(ptr addrspace(1) %a, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %wide = zext i32 %n to i64
  %begin = mul i64 %id, %wide
  br label %header
header:
  %i = phi i64 [ %begin, %entry ], [ %next, %body ]
  %after = add i64 %id, 1
  %end = mul i64 %after, %wide
  %more = icmp ugt i64 %end, %i
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  store i32 1, ptr addrspace(1) %p
  %next = add i64 %i, 1
  br label %header
exit:
  ret i64 %i
}

; The part of a work-group: begin and end are the same for all of its work-items, but not for other groups. Where the
; begin may be below zero, the difference of two numbers of 32 bits is computed with 64.
; CHECK-LABEL: define void @groups
; CHECK: %[[SUM:.*]] = add i64 %{{.*}}, %{{.*}}
; CHECK: %[[MORE:.*]] = add i64 %[[SUM]], 1
; CHECK: %[[UP:.*]] = call i64 @llvm.smax.i64(i64 %[[MORE]], i64 0)
; CHECK: %[[END:.*]] = trunc i64 %[[UP]] to i32
; CHECK: icmp uge i32 %count, %[[END]]
define void @groups(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  %id = call i64 @__clarity_group_id(i32 0)
  %g = trunc i64 %id to i32
  %begin = mul nsw i32 %n, %g
  %some = add nsw i32 %begin, %n
  %end = add nsw i32 %some, %m
  br label %header
header:
  %i = phi i32 [ %begin, %entry ], [ %next, %body ]
  %done = icmp sgt i32 %i, %end
  br i1 %done, label %exit, label %body
body:
  %at = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %at
  store i32 1, ptr addrspace(1) %p
  %next = add nsw i32 %i, 1
  br label %header
exit:
  ret void
}

; Equality holds modulo 2^32, too.
; CHECK-LABEL: define void @equality
; CHECK: icmp ne i32 %count, %n
define void @equality(ptr addrspace(1) %a, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %g = trunc i64 %id to i32
  %begin = mul i32 %n, %g
  %end = add i32 %begin, %n
  br label %header
header:
  %i = phi i32 [ %begin, %entry ], [ %next, %body ]
  %more = icmp ne i32 %i, %end
  br i1 %more, label %body, label %exit
body:
  %at = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %at
  store i32 1, ptr addrspace(1) %p
  %next = add i32 %i, 1
  br label %header
exit:
  ret void
}
