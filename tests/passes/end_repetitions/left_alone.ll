; Loops whose iterations depend on each other, or that may not end.
; RUN: %clarity opt --passes=loop-simplify,end-repetitions --verify-each %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; An iteration reads what the one before has stored.
; CHECK-LABEL: define void @reads
; CHECK: br i1 %more, label %header, label %exit
define void @reads(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %header ]
  %x = load i32, ptr addrspace(1) %a
  %y = add i32 %x, 1
  store i32 %y, ptr addrspace(1) %b
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %header, label %exit
exit:
  ret void
}

; The last value of the one before: the second iteration and the first one differ.
; CHECK-LABEL: define i32 @delayed
; CHECK: br i1 %more, label %header, label %exit
define i32 @delayed(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %header ]
  %before = phi i32 [ 0, %entry ], [ %x, %header ]
  %x = load i32, ptr addrspace(1) %a
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %header, label %exit
exit:
  ret i32 %before
}

; A sum of floats depends on the order.
; CHECK-LABEL: define float @floats
; CHECK: br i1 %more, label %header, label %exit
define float @floats(float %x, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %header ]
  %sum = phi float [ 0.0, %entry ], [ %added, %header ]
  %added = fadd float %sum, %x
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %header, label %exit
exit:
  ret float %added
}

; The loop waits for another work-item, or for ever.
; CHECK-LABEL: define void @waits
; CHECK: br i1 %more, label %header, label %exit
define void @waits(ptr addrspace(1) %a) {
entry:
  br label %header
header:
  %x = load volatile i32, ptr addrspace(1) %a
  %more = icmp eq i32 %x, 0
  br i1 %more, label %header, label %exit
exit:
  ret void
}

; It may not end: floats no longer grow.
; CHECK-LABEL: define void @no_end
; CHECK: br i1 %more, label %header, label %exit
define void @no_end(float %most) {
entry:
  br label %header
header:
  %t = phi float [ 0.0, %entry ], [ %later, %header ]
  %later = fadd float %t, 1.0
  %more = fcmp olt float %later, %most
  br i1 %more, label %header, label %exit
exit:
  ret void
}

; Some iterations store, others do not.
; CHECK-LABEL: define void @some
; CHECK: br i1 %more, label %header, label %exit
define void @some(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %is = icmp eq i32 %i, 3
  br i1 %is, label %then, label %latch
then:
  store i32 1, ptr addrspace(1) %a
  br label %latch
latch:
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %header, label %exit
exit:
  ret void
}

; A loop inside goes from place to place: it reads what the iteration before has moved, though `a[j]` and `a[j + 1]` are
; two places.
; CHECK-LABEL: define void @moves
; CHECK: br i1 %again, label %outer, label %exit
define void @moves(ptr addrspace(1) %a, i32 %n, i64 %m) {
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
  %to = getelementptr i32, ptr addrspace(1) %a, i64 %j
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

; The same of an array of the work-item's own, by pointers, and with a place that the outer loop reads.
; CHECK-LABEL: define void @walks
; CHECK: br i1 %again, label %outer, label %exit
define void @walks(ptr addrspace(1) %a, i32 %n, i64 %m) {
entry:
  %own = alloca [16 x i32]
  %third = getelementptr i32, ptr %own, i64 3
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = load i32, ptr %third
  br label %inner
inner:
  %p = phi ptr [ %own, %outer ], [ %q, %inner ]
  %q = getelementptr i32, ptr %p, i64 1
  %y = add i32 %x, 1
  store i32 %y, ptr %q
  %end = getelementptr i32, ptr %own, i64 %m
  %more = icmp ult ptr %q, %end
  br i1 %more, label %inner, label %latch
latch:
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %outer, label %exit
exit:
  %last = load i32, ptr %own
  store i32 %last, ptr addrspace(1) %a
  ret void
}

; What an inlined function says of its arguments holds for one call: the next reads what this one writes.
; CHECK-LABEL: define void @calls
; CHECK: br i1 %again, label %outer, label %exit
define void @calls(ptr addrspace(1) %a, i32 %n, i64 %m) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %after, %inner ]
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %after = add nuw nsw i64 %j, 1
  %from = getelementptr i32, ptr addrspace(1) %a, i64 %after
  %x = load i32, ptr addrspace(1) %from, !noalias !0
  %to = getelementptr i32, ptr addrspace(1) %a, i64 %j
  store i32 %x, ptr addrspace(1) %to, !alias.scope !0
  %more = icmp slt i64 %after, %m
  br i1 %more, label %inner, label %latch
latch:
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %outer, label %exit
exit:
  ret void
}
!0 = !{!1}
!1 = !{!1, !2, !"to"}
!2 = !{!2, !"copy"}
