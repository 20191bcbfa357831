; Loops whose iterations all do the same run once.
; RUN: %clarity opt --passes=loop-simplify,end-repetitions --verify-each %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare float @hypot(float, float) memory(none) nounwind willreturn

; What each iteration computes anew; nothing where there is none.
; CHECK-LABEL: define float @computed
; CHECK: %[[MORE:.*]] = icmp sgt i32 %n, 0
; CHECK-NOT: phi i32
; CHECK: call float @hypot
; CHECK: br label %exit
; CHECK: phi float [ 0.000000e+00, %{{.*}} ], [ %h, %{{.*}} ]
define float @computed(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %last = phi float [ 0.0, %entry ], [ %h, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  %x = load float, ptr addrspace(1) %a
  %h = call float @hypot(float %x, float 1.0)
  %next = add nsw i32 %i, 1
  br label %header
exit:
  ret float %last
}

; What is counted meanwhile is computed.
; CHECK-LABEL: define i32 @counted
; CHECK-NOT: phi
; CHECK: mul i32
; CHECK: ret i32
define i32 @counted(i32 %begin, i32 %by, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi i32 [ %begin, %entry ], [ %added, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  %added = add i32 %sum, %by
  %next = add nsw i32 %i, 1
  br label %header
exit:
  ret i32 %sum
}

; The same of what an iteration loads, which is not read where there is none.
; CHECK-LABEL: define i64 @loaded
; CHECK: br i1
; CHECK: %x = load i64
; CHECK: mul i64 %x, %
; CHECK: %[[SUM:.*]] = sub i64 %begin, %
; CHECK: phi i64 [ %begin, %entry ], [ %[[SUM]], %body ]
define i64 @loaded(ptr addrspace(1) %a, i64 %begin, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi i64 [ %begin, %entry ], [ %added, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  %x = load i64, ptr addrspace(1) %a
  %added = sub i64 %sum, %x
  %next = add nsw i32 %i, 1
  br label %header
exit:
  ret i64 %sum
}

; The loop around is a repetition, the one inside is not. Its counter is a float.
; CHECK-LABEL: define void @around
; CHECK-NOT: phi float [ 0.000000e+00, %entry ]
; CHECK: inner:
; CHECK: %sum = phi float
; CHECK: store float %sum, ptr addrspace(1) %b
; CHECK-NEXT: ret void
define void @around(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %m) {
entry:
  br label %outer
outer:
  %t = phi float [ 0.0, %entry ], [ %later, %end ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %next, %inner ]
  %sum = phi float [ 0.0, %outer ], [ %added, %inner ]
  %p = getelementptr float, ptr addrspace(1) %a, i32 %j
  %x = load float, ptr addrspace(1) %p
  %added = fadd float %sum, %x
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %m
  br i1 %more, label %inner, label %end
end:
  store float %sum, ptr addrspace(1) %b
  %later = fadd float %t, 0.25
  %again = fcmp olt float %later, 100.0
  br i1 %again, label %outer, label %exit, !llvm.loop !0
exit:
  ret void
}

; A break that all iterations take alike, or none.
; CHECK-LABEL: define i32 @left_early
; CHECK-NOT: phi i32 [ 0, %entry ]
; CHECK: ret i32
define i32 @left_early(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  %x = load i32, ptr addrspace(1) %a
  %found = icmp eq i32 %x, 7
  br i1 %found, label %left, label %latch
latch:
  %next = add nsw i32 %i, 1
  br label %header
left:
  ret i32 %x
exit:
  ret i32 0
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}

; A loop inside that reads one array and writes another does the same again.
; CHECK-LABEL: define void @copies
; CHECK: %more = icmp slt i64
; CHECK-NEXT: br i1 %more, label %inner, label %latch
; CHECK-NOT: br i1
; CHECK: ret void
define void @copies(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n, i64 %m) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %after, %inner ]
  %after = add nuw nsw i64 %j, 1
  %from = getelementptr i32, ptr addrspace(1) %a, i64 %after
  %x = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(1) %b, i64 %j
  store i32 %x, ptr addrspace(1) %to
  %more = icmp slt i64 %after, %m
  br i1 %more, label %inner, label %latch
latch:
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %outer, label %exit
exit:
  ret void
}
