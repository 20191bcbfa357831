; What may wrap, what does not cancel, and what ends alike for all work-items already.
; RUN: %clarity opt --passes=loop-simplify,count-from-zero %s -o - | FileCheck %s --implicit-check-not=%count
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)

; An unsigned end may wrap, and nothing bounds a number that each work-item loads.
; CHECK-LABEL: define void @loaded
; CHECK: icmp ult i32 %i, %end
define void @loaded(ptr addrspace(1) %a, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %own = getelementptr i32, ptr addrspace(1) %a, i64 %id
  %begin = load i32, ptr addrspace(1) %own
  %end = add i32 %begin, %n
  br label %header
header:
  %i = phi i32 [ %begin, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, %end
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

; Gathers by indices that the loop loads take most of the time.
; CHECK-LABEL: define i32 @indices
; CHECK: icmp slt i32 %i, %end
define i32 @indices(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %g = trunc i64 %id to i32
  %begin = mul nsw i32 %n, %g
  %end = add nsw i32 %begin, %n
  br label %header
header:
  %i = phi i32 [ %begin, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %added, %body ]
  %more = icmp slt i32 %i, %end
  br i1 %more, label %body, label %exit
body:
  %at = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %at
  %index = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %b, i32 %index
  %x = load i32, ptr addrspace(1) %q
  %added = add i32 %sum, %x
  %next = add nsw i32 %i, 1
  br label %header
exit:
  ret i32 %sum
}

; A grid's stride: the end is one for all.
; CHECK-LABEL: define void @strided
; CHECK: icmp slt i32 %i, %n
define void @strided(ptr addrspace(1) %a, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %g = trunc i64 %id to i32
  br label %header
header:
  %i = phi i32 [ %g, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  %at = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %at
  store i32 1, ptr addrspace(1) %p
  %next = add nsw i32 %i, 64
  br label %header
exit:
  ret void
}

; All work-items begin and end at the same index.
; CHECK-LABEL: define void @shared
; CHECK: icmp slt i32 %i, %end
define void @shared(ptr addrspace(1) %a, i32 %m, i32 %n) {
entry:
  %end = add nsw i32 %m, %n
  br label %header
header:
  %i = phi i32 [ %m, %entry ], [ %next, %body ]
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

; Steps of 4 from below zero may come past the largest number where the indices do not.
; CHECK-LABEL: define void @steps
; CHECK: icmp slt i32 %i, %end
define void @steps(ptr addrspace(1) %a, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %g = trunc i64 %id to i32
  %begin = sub nsw i32 %n, %g
  %end = add nsw i32 %begin, %n
  br label %header
header:
  %i = phi i32 [ %begin, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %end
  br i1 %more, label %body, label %exit
body:
  %at = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %at
  store i32 1, ptr addrspace(1) %p
  %next = add nsw i32 %i, 4
  br label %header
exit:
  ret void
}

; The end is below the begin: as an unsigned number the difference would be large.
; CHECK-LABEL: define void @below
; CHECK: icmp ult i64 %i, %end
define void @below(ptr addrspace(1) %a) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %begin = add i64 %id, 5
  %end = add i64 %id, 3
  br label %header
header:
  %i = phi i64 [ %begin, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, %end
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  store i32 1, ptr addrspace(1) %p
  %next = add i64 %i, 1
  br label %header
exit:
  ret void
}
