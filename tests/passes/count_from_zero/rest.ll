; Some work-items have one iteration more than others: a copy of the loop runs what all of them have.
; RUN: %clarity opt --passes=loop-simplify,count-from-zero --verify-each %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)

; CHECK-LABEL: define i32 @some_more
; CHECK: header.whole:
; CHECK: %[[COUNT:.*]] = phi i32 [ 0, %{{.*}} ], [ %[[COUNTED:.*]], %body.whole ]
; CHECK: %[[SUM:.*]] = phi i32 [ 0, %{{.*}} ], [ %{{.*}}, %body.whole ]
; CHECK: icmp slt i32 %[[COUNT]], %n
; CHECK: header:
; CHECK: %count = phi i32 [ %[[COUNT]], %{{.*}} ], [ %counted, %body ]
; CHECK: %sum = phi i32 [ %[[SUM]], %{{.*}} ], [ %added, %body ]
; CHECK: icmp ult i32 %count, %{{.*}}
; CHECK: ret i32 %sum
define i32 @some_more(ptr addrspace(1) %a, i32 %n, i32 %rest) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %g = trunc i64 %id to i32
  %has = icmp slt i32 %g, %rest
  %one = zext i1 %has to i32
  %own = mul nsw i32 %n, %g
  %begin = add nsw i32 %own, %rest
  %some = add nsw i32 %begin, %n
  %end = add nsw i32 %some, %one
  br label %header
header:
  %i = phi i32 [ %begin, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %added, %body ]
  %more = icmp slt i32 %i, %end
  br i1 %more, label %body, label %exit
body:
  %at = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %at
  %x = load i32, ptr addrspace(1) %p
  %added = add i32 %sum, %x
  %next = add nsw i32 %i, 1
  br label %header
exit:
  ret i32 %sum
}

; Not where some may have fewer.
; CHECK-LABEL: define void @some_fewer
; CHECK-NOT: .whole
; CHECK: ret void
define void @some_fewer(ptr addrspace(1) %a, i32 %n, i32 %rest) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %g = trunc i64 %id to i32
  %has = icmp slt i32 %g, %rest
  %one = sext i1 %has to i32
  %begin = mul nsw i32 %n, %g
  %some = add nsw i32 %begin, %n
  %end = add nsw i32 %some, %one
  br label %header
header:
  %i = phi i32 [ %begin, %entry ], [ %next, %body ]
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

; for (i = id * n; i < min(id * n + n, all); i++): work-items with whole parts run a copy of the loop ahead of it.
; CHECK-LABEL: define i32 @tail
; CHECK: %[[WHOLE:.*]] = icmp sle i32 %after, %all
; CHECK: br i1 %[[WHOLE]], label %[[FIRST:.*]], label %[[BETWEEN:.*]]
; CHECK: header.whole:
; CHECK: icmp slt i32 %count, %n
; CHECK: [[BETWEEN]]:
; CHECK: %[[BEGIN:.*]] = phi i32 [ %begin, %entry ], [ %{{.*}}, %{{.*}} ]
; CHECK: header:
; CHECK: %i = phi i32 [ %[[BEGIN]], %{{.*}} ], [ %next, %body ]
; CHECK: icmp slt i32 %i, %end
; CHECK: ret i32 %sum
define i32 @tail(ptr addrspace(1) %a, i32 %n, i32 %all) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %g = trunc i64 %id to i32
  %begin = mul nsw i32 %n, %g
  %after = add nsw i32 %begin, %n
  %end = call i32 @llvm.smin.i32(i32 %after, i32 %all)
  br label %header
header:
  %i = phi i32 [ %begin, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %added, %body ]
  %more = icmp slt i32 %i, %end
  br i1 %more, label %body, label %exit
body:
  %at = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %at
  %x = load i32, ptr addrspace(1) %p
  %added = add i32 %sum, %x
  %next = add nsw i32 %i, 1
  br label %header
exit:
  ret i32 %sum
}

; Work-items of whole parts and of others meet in the loop: none goes another way.
declare i32 @__clarity_sub_group_reduce_max_int(i32)
; CHECK-LABEL: define i32 @meets
; CHECK-NOT: .whole
; CHECK: ret i32
define i32 @meets(ptr addrspace(1) %a, i32 %n, i32 %all) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %g = trunc i64 %id to i32
  %begin = mul nsw i32 %n, %g
  %some = add nsw i32 %begin, %n
  %end = call i32 @llvm.smin.i32(i32 %some, i32 %all)
  br label %header
header:
  %i = phi i32 [ %begin, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %added, %body ]
  %more = icmp slt i32 %i, %end
  br i1 %more, label %body, label %exit
body:
  %at = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %at
  %x = load i32, ptr addrspace(1) %p
  %y = call i32 @__clarity_sub_group_reduce_max_int(i32 %x)
  %added = add i32 %sum, %y
  %next = add nsw i32 %i, 1
  br label %header
exit:
  ret i32 %sum
}
