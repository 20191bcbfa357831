; Loops whose counters index a small private array are unrolled, and the array is gone.
; RUN: %clarity opt --passes='loop-simplify,unroll-private-loops' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare void @__clarity_barrier(i32)

; Across a barrier, in two loops.
; CHECK-LABEL: define void @sums
; CHECK-NOT: alloca
; CHECK: load float, ptr addrspace(1) %a
; CHECK: call void @__clarity_barrier
; CHECK: store float
; CHECK: store float
; CHECK-NOT: br
; CHECK: ret void
define void @sums(ptr addrspace(1) %a) {
entry:
  %sum = alloca [2 x float]
  br label %first
first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %from = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %from
  %own = getelementptr float, ptr %sum, i64 %i
  store float %v, ptr %own
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 2
  br i1 %more, label %first, label %middle
middle:
  call void @__clarity_barrier(i32 1)
  br label %second
second:
  %j = phi i64 [ 0, %middle ], [ %j.next, %second ]
  %back = sub i64 1, %j
  %its = getelementptr float, ptr %sum, i64 %back
  %w = load float, ptr %its
  %to = getelementptr float, ptr addrspace(1) %a, i64 %j
  store float %w, ptr addrspace(1) %to
  %j.next = add i64 %j, 1
  %again = icmp ult i64 %j.next, 2
  br i1 %again, label %second, label %end
end:
  ret void
}

; One index is known to the launch only: nothing would be gained.
; CHECK-LABEL: define void @indexed
; CHECK: alloca [2 x float]
; CHECK: br i1
; CHECK: ret void
define void @indexed(ptr addrspace(1) %a, i64 %n) {
entry:
  %sum = alloca [2 x float]
  br label %first
first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %from = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %from
  %own = getelementptr float, ptr %sum, i64 %i
  store float %v, ptr %own
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 2
  br i1 %more, label %first, label %end
end:
  %some = getelementptr float, ptr %sum, i64 %n
  %w = load float, ptr %some
  store float %w, ptr addrspace(1) %a
  ret void
}

; A loop of unknown length inside: it would be there twice.
; CHECK-LABEL: define void @nested
; CHECK: alloca [2 x float]
; CHECK: ret void
define void @nested(ptr addrspace(1) %a, i64 %n) {
entry:
  %sum = alloca [2 x float]
  br label %first
first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %after ]
  %own = getelementptr float, ptr %sum, i64 %i
  store float 0.0, ptr %own
  br label %inner
inner:
  %k = phi i64 [ 0, %first ], [ %k.next, %inner ]
  %from = getelementptr float, ptr addrspace(1) %a, i64 %k
  %v = load float, ptr addrspace(1) %from
  %w = load float, ptr %own
  %s = fadd float %v, %w
  store float %s, ptr %own
  %k.next = add i64 %k, 1
  %on = icmp ult i64 %k.next, %n
  br i1 %on, label %inner, label %after
after:
  %to = getelementptr float, ptr addrspace(1) %a, i64 %i
  %r = load float, ptr %own
  store float %r, ptr addrspace(1) %to
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 2
  br i1 %more, label %first, label %end
end:
  ret void
}

; Too long an array.
; CHECK-LABEL: define void @long
; CHECK: alloca [100 x float]
; CHECK: ret void
define void @long(ptr addrspace(1) %a) {
entry:
  %sum = alloca [100 x float]
  br label %first
first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %from = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %from
  %own = getelementptr float, ptr %sum, i64 %i
  store float %v, ptr %own
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 60
  br i1 %more, label %first, label %end
end:
  %some = getelementptr float, ptr %sum, i64 3
  %w = load float, ptr %some
  store float %w, ptr addrspace(1) %a
  ret void
}

; The counter chooses the element in a constant table, or the table's place in the array, and behind a branch.
; CHECK-LABEL: define void @permuted
; CHECK-NOT: alloca
; CHECK-NOT: br
; CHECK: ret void
@order = private unnamed_addr addrspace(2) constant [3 x i32] [i32 2, i32 0, i32 1]
define void @permuted(ptr addrspace(1) %a) {
entry:
  %state = alloca [3 x float]
  br label %first
first:
  %i = phi i32 [ 0, %entry ], [ %i.next, %first ]
  %from = getelementptr float, ptr addrspace(1) %a, i32 %i
  %v = load float, ptr addrspace(1) %from
  %place = getelementptr i32, ptr addrspace(2) @order, i32 %i
  %its = load i32, ptr addrspace(2) %place
  %own = getelementptr float, ptr %state, i32 %its
  store float %v, ptr %own
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 3
  br i1 %more, label %first, label %second
second:
  %j = phi i32 [ 0, %first ], [ %j.next, %join ]
  %last = icmp eq i32 %j, 2
  br i1 %last, label %back, label %join
back:
  br label %join
join:
  %next = phi i32 [ 0, %back ], [ 1, %second ]
  %other = getelementptr float, ptr %state, i32 %next
  %w = load float, ptr %other
  %to = getelementptr float, ptr addrspace(1) %a, i32 %j
  store float %w, ptr addrspace(1) %to
  %j.next = add nuw nsw i32 %j, 1
  %again = icmp ult i32 %j.next, 3
  br i1 %again, label %second, label %end
end:
  ret void
}

; A table that the program may write chooses: nothing is known.
; CHECK-LABEL: define void @written
; CHECK: alloca [3 x float]
@places = private addrspace(1) global [3 x i32] [i32 2, i32 0, i32 1]
define void @written(ptr addrspace(1) %a) {
entry:
  %state = alloca [3 x float]
  br label %first
first:
  %i = phi i32 [ 0, %entry ], [ %i.next, %first ]
  %from = getelementptr float, ptr addrspace(1) %a, i32 %i
  %v = load float, ptr addrspace(1) %from
  %place = getelementptr i32, ptr addrspace(1) @places, i32 %i
  %its = load i32, ptr addrspace(1) %place
  %own = getelementptr float, ptr %state, i32 %its
  store float %v, ptr %own
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 3
  br i1 %more, label %first, label %end
end:
  %any = load float, ptr %state
  store float %any, ptr addrspace(1) %a
  ret void
}
