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

; An array in a structure, which is filled as one block: its other members become values, too.
; CHECK-LABEL: define void @structure
; CHECK-NOT: alloca
; CHECK-NOT: br
; CHECK: ret void
define void @structure(ptr addrspace(1) %a) {
entry:
  %own = alloca { [3 x float], i32 }
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %own, ptr addrspace(1) align 4 %a, i64 16, i1 false)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr float, ptr %own, i64 %i
  %v = load float, ptr %at
  %w = fadd float %v, 1.0
  store float %w, ptr %at
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 3
  br i1 %more, label %loop, label %end
end:
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) align 4 %a, ptr align 4 %own, i64 16, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)

; Inner iterations begin where the outer loop is, and a number counts through both: all indices are constants.
; CHECK-LABEL: define void @triangle
; CHECK-NOT: alloca
; CHECK-COUNT-6: load i32
; CHECK-COUNT-3: store i32
; CHECK-NOT: store
; CHECK-NOT: br
; CHECK: ret void
define void @triangle(ptr addrspace(1) %a) {
entry:
  %v = alloca [6 x i32]
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.next ]
  %n = phi i32 [ 0, %entry ], [ %n.next, %outer.next ]
  br label %inner
inner:
  %j = phi i32 [ %i, %outer ], [ %j.next, %inner ]
  %m = phi i32 [ %n, %outer ], [ %n.next, %inner ]
  %from = getelementptr i32, ptr addrspace(1) %a, i32 %m
  %x = load i32, ptr addrspace(1) %from
  %own = getelementptr i32, ptr %v, i32 %m
  store i32 %x, ptr %own
  %n.next = add i32 %m, 1
  %j.next = add i32 %j, 1
  %more.j = icmp ult i32 %j.next, 3
  br i1 %more.j, label %inner, label %outer.next
outer.next:
  %i.next = add i32 %i, 1
  %more.i = icmp ult i32 %i.next, 3
  br i1 %more.i, label %outer, label %use
use:
  %k = phi i32 [ 0, %outer.next ], [ %k.next, %use ]
  %even = shl i32 %k, 1
  %odd = or i32 %even, 1
  %p = getelementptr i32, ptr %v, i32 %even
  %q = getelementptr i32, ptr %v, i32 %odd
  %vp = load i32, ptr %p
  %vq = load i32, ptr %q
  %s = mul i32 %vp, %vq
  %to = getelementptr i32, ptr addrspace(1) %a, i32 %k
  store i32 %s, ptr addrspace(1) %to
  %k.next = add i32 %k, 1
  %more.k = icmp ult i32 %k.next, 3
  br i1 %more.k, label %use, label %end
end:
  ret void
}

; A number that only some iterations count is none of the loop's.
; CHECK-LABEL: define void @counted
; CHECK: alloca [4 x i32]
; CHECK: ret void
define void @counted(ptr addrspace(1) %a) {
entry:
  %v = alloca [4 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %n = phi i32 [ 0, %entry ], [ %n.next, %next ]
  %from = getelementptr i32, ptr addrspace(1) %a, i32 %i
  %x = load i32, ptr addrspace(1) %from
  %own = getelementptr i32, ptr %v, i32 %n
  store i32 %x, ptr %own
  %take = icmp sgt i32 %x, 0
  br i1 %take, label %one, label %next
one:
  %n.one = add i32 %n, 1
  br label %next
next:
  %n.next = phi i32 [ %n, %loop ], [ %n.one, %one ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 4
  br i1 %more, label %loop, label %end
end:
  %p = getelementptr i32, ptr %v, i32 2
  %r = load i32, ptr %p
  store i32 %r, ptr addrspace(1) %a
  ret void
}

; The outer counter decides how often the inner loop runs, and no index.
; CHECK-LABEL: define void @shrinking
; CHECK-NOT: alloca
; CHECK: call i32 @llvm.smin
; CHECK-NOT: br
; CHECK: ret void
define void @shrinking(ptr addrspace(1) %a, <4 x i32> %of) {
entry:
  %v = alloca [4 x i32]
  store <4 x i32> %of, ptr %v
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.next ]
  %end = sub i32 3, %i
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %j.next = add i32 %j, 1
  %p = getelementptr i32, ptr %v, i32 %j
  %q = getelementptr i32, ptr %v, i32 %j.next
  %x = load i32, ptr %p
  %y = load i32, ptr %q
  %swap = icmp sgt i32 %x, %y
  %low = select i1 %swap, i32 %y, i32 %x
  %sum = add i32 %x, %y
  %high = sub i32 %sum, %low
  store i32 %low, ptr %p
  store i32 %high, ptr %q
  %more.j = icmp ult i32 %j.next, %end
  br i1 %more.j, label %inner, label %outer.next
outer.next:
  %i.next = add i32 %i, 1
  %more.i = icmp ult i32 %i.next, 3
  br i1 %more.i, label %outer, label %use
use:
  %mid = getelementptr i32, ptr %v, i32 1
  %m = load i32, ptr %mid
  store i32 %m, ptr addrspace(1) %a
  ret void
}
