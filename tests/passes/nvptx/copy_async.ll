; Loops that copy from global to shared memory use the instruction that nothing waits for, until something has to.
; RUN: %clarity opt --processor sm_90 --passes=copy-async %s -o - | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; CHECK-LABEL: define i32 @words
; CHECK: call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %to, ptr addrspace(1) %from)
; CHECK-NOT: store
; CHECK: exit:
; CHECK-NEXT: call void @llvm.nvvm.cp.async.wait.all()
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
define i32 @words(ptr addrspace(3) %s, ptr addrspace(1) %g, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds i32, ptr addrspace(1) %g, i64 %i
  %to = getelementptr inbounds i32, ptr addrspace(3) %s, i64 %i
  %v = load i32, ptr addrspace(1) %from, align 4
  store i32 %v, ptr addrspace(3) %to, align 4
  %next = add nuw nsw i64 %i, 64
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %first = load i32, ptr addrspace(3) %s, align 4
  ret i32 %first
}

; 16 bytes, past the first cache; a load from global memory need not wait, a store there has to.
; CHECK-LABEL: define void @vectors
; CHECK: call void @llvm.nvvm.cp.async.cg.shared.global.16(
; CHECK: exit:
; CHECK-NEXT: load i32, ptr addrspace(1) %g
; CHECK-NEXT: call void @llvm.nvvm.cp.async.wait.all()
; CHECK-NEXT: store i32
define void @vectors(ptr addrspace(3) %s, ptr addrspace(1) %g, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds <4 x float>, ptr addrspace(1) %g, i64 %i
  %to = getelementptr inbounds <4 x float>, ptr addrspace(3) %s, i64 %i
  %v = load <4 x float>, ptr addrspace(1) %from, align 16
  store <4 x float> %v, ptr addrspace(3) %to, align 16
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %first = load i32, ptr addrspace(1) %g, align 4
  store i32 0, ptr addrspace(1) %g, align 4
  %second = add i32 %first, 1
  ret void
}

; No instruction copies two bytes, nor words whose addresses are no multiples of their size.
; CHECK-LABEL: define void @halves
; CHECK-NOT: cp.async
; CHECK: ret void
define void @halves(ptr addrspace(3) %s, ptr addrspace(1) %g, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds i16, ptr addrspace(1) %g, i64 %i
  %to = getelementptr inbounds i16, ptr addrspace(3) %s, i64 %i
  %v = load i16, ptr addrspace(1) %from, align 2
  store i16 %v, ptr addrspace(3) %to, align 2
  %next = add nuw nsw i64 %i, 64
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @unaligned
; CHECK-NOT: cp.async
; CHECK: ret void
define void @unaligned(ptr addrspace(3) %s, ptr addrspace(1) %g, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds <4 x float>, ptr addrspace(1) %g, i64 %i
  %to = getelementptr inbounds <4 x float>, ptr addrspace(3) %s, i64 %i
  %v = load <4 x float>, ptr addrspace(1) %from, align 4
  store <4 x float> %v, ptr addrspace(3) %to, align 16
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Copies end in any order, and the last one to a place has to be the last.
; CHECK-LABEL: define void @again
; CHECK-NOT: cp.async
; CHECK: ret void
define void @again(ptr addrspace(3) %s, ptr addrspace(1) %g, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds i32, ptr addrspace(1) %g, i64 %i
  %place = and i64 %i, 127
  %to = getelementptr inbounds i32, ptr addrspace(3) %s, i64 %place
  %v = load i32, ptr addrspace(1) %from, align 4
  store i32 %v, ptr addrspace(3) %to, align 4
  %next = add nuw nsw i64 %i, 64
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The loop computes with what it loads, too, so that it waits for it anyway.
; CHECK-LABEL: define i32 @summed
; CHECK-NOT: cp.async
; CHECK: ret i32
define i32 @summed(ptr addrspace(3) %s, ptr addrspace(1) %g, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %total, %loop ]
  %from = getelementptr inbounds i32, ptr addrspace(1) %g, i64 %i
  %to = getelementptr inbounds i32, ptr addrspace(3) %s, i64 %i
  %v = load i32, ptr addrspace(1) %from, align 4
  store i32 %v, ptr addrspace(3) %to, align 4
  %total = add i32 %sum, %v
  %next = add nuw nsw i64 %i, 64
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %total
}

; Two stores of an iteration, the second one to the place of the next iteration's first.
; CHECK-LABEL: define void @overlapping
; CHECK-NOT: cp.async
; CHECK: ret void
define void @overlapping(ptr addrspace(3) %s, ptr addrspace(1) %g, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds i32, ptr addrspace(1) %g, i64 %i
  %to = getelementptr inbounds i32, ptr addrspace(3) %s, i64 %i
  %v = load i32, ptr addrspace(1) %from, align 4
  store i32 %v, ptr addrspace(3) %to, align 4
  %from.next = getelementptr inbounds i8, ptr addrspace(1) %from, i64 400
  %to.next = getelementptr inbounds i8, ptr addrspace(3) %to, i64 256
  %w = load i32, ptr addrspace(1) %from.next, align 4
  store i32 %w, ptr addrspace(3) %to.next, align 4
  %next = add nuw nsw i64 %i, 64
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The last one to a place has to be the last, too, of copies by two loops and by one that is executed again.
; CHECK-LABEL: define void @two_loops
; CHECK: loop:
; CHECK: call void @llvm.nvvm.cp.async.ca.shared.global.4(
; CHECK: between:
; CHECK-NEXT: call void @llvm.nvvm.cp.async.wait.all()
; CHECK-NEXT: br label %second
; CHECK: second:
; CHECK: call void @llvm.nvvm.cp.async.ca.shared.global.4(
; CHECK-NOT: wait
; CHECK: ret void
define void @two_loops(ptr addrspace(3) %s, ptr addrspace(1) %g, ptr addrspace(1) %h, i64 %n, i64 %m) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds i32, ptr addrspace(1) %g, i64 %i
  %to = getelementptr inbounds i32, ptr addrspace(3) %s, i64 %i
  %v = load i32, ptr addrspace(1) %from, align 4
  store i32 %v, ptr addrspace(3) %to, align 4
  %next = add nuw nsw i64 %i, 64
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %between
between:
  br label %second
second:
  %j = phi i64 [ 0, %between ], [ %j.next, %second ]
  %j.from = getelementptr inbounds i32, ptr addrspace(1) %h, i64 %j
  %j.to = getelementptr inbounds i32, ptr addrspace(3) %s, i64 %j
  %w = load i32, ptr addrspace(1) %j.from, align 4
  store i32 %w, ptr addrspace(3) %j.to, align 4
  %j.next = add nuw nsw i64 %j, 64
  %j.more = icmp ult i64 %j.next, %m
  br i1 %j.more, label %second, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @executed_again
; CHECK: row:
; CHECK: call void @llvm.nvvm.cp.async.wait.all()
; CHECK: loop:
; CHECK: call void @llvm.nvvm.cp.async.ca.shared.global.4(
; CHECK-NOT: wait
; CHECK: ret void
define void @executed_again(ptr addrspace(3) %s, ptr addrspace(1) %g, i64 %n, i64 %rows) {
entry:
  br label %row
row:
  %r = phi i64 [ 0, %entry ], [ %r.next, %row.end ]
  %begin = mul i64 %r, %n
  %g.row = getelementptr inbounds i32, ptr addrspace(1) %g, i64 %begin
  br label %loop
loop:
  %i = phi i64 [ 0, %row ], [ %next, %loop ]
  %from = getelementptr inbounds i32, ptr addrspace(1) %g.row, i64 %i
  %to = getelementptr inbounds i32, ptr addrspace(3) %s, i64 %i
  %v = load i32, ptr addrspace(1) %from, align 4
  store i32 %v, ptr addrspace(3) %to, align 4
  %next = add nuw nsw i64 %i, 64
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %row.end
row.end:
  %r.next = add nuw nsw i64 %r, 1
  %r.more = icmp ult i64 %r.next, %rows
  br i1 %r.more, label %row, label %exit
exit:
  ret void
}

; Two variables, an argument and one that name-local-accesses has named, have no place in common.
@clarity_local = external addrspace(3) global [0 x i8], align 16
; CHECK-LABEL: define void @two_variables
; CHECK: loop:
; CHECK: call void @llvm.nvvm.cp.async.ca.shared.global.4(
; CHECK-NOT: wait
; CHECK: second:
; CHECK: call void @llvm.nvvm.cp.async.ca.shared.global.4({{.*}}), !clarity.local.variable
; CHECK-NOT: wait
; CHECK: ret void
define void @two_variables(i64 "clarity-local-argument" %argument, ptr addrspace(1) %g, ptr addrspace(1) %h, i64 %n, i64 %m) {
entry:
  %s = getelementptr inbounds i8, ptr addrspace(3) @clarity_local, i64 %argument
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds i32, ptr addrspace(1) %g, i64 %i
  %to = getelementptr inbounds i32, ptr addrspace(3) %s, i64 %i
  %v = load i32, ptr addrspace(1) %from, align 4
  store i32 %v, ptr addrspace(3) %to, align 4
  %next = add nuw nsw i64 %i, 64
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %between
between:
  br label %second
second:
  %j = phi i64 [ 0, %between ], [ %j.next, %second ]
  %j.from = getelementptr inbounds i32, ptr addrspace(1) %h, i64 %j
  %j.to = getelementptr inbounds i32, ptr addrspace(3) @clarity_local, i64 %j
  %w = load i32, ptr addrspace(1) %j.from, align 4
  store i32 %w, ptr addrspace(3) %j.to, align 4, !clarity.local.variable !0
  %j.next = add nuw nsw i64 %j, 64
  %j.more = icmp ult i64 %j.next, %m
  br i1 %j.more, label %second, label %exit
exit:
  ret void
}

; Two places of one variable, which integers of the program tell.
; CHECK-LABEL: define void @one_variable
; CHECK: between:
; CHECK-NEXT: call void @llvm.nvvm.cp.async.wait.all()
; CHECK: ret void
define void @one_variable(i64 %number, i64 %other, ptr addrspace(1) %g, ptr addrspace(1) %h, i64 %n, i64 %m) {
entry:
  %s = getelementptr inbounds i8, ptr addrspace(3) @clarity_local, i64 %number
  %t = getelementptr inbounds i8, ptr addrspace(3) @clarity_local, i64 %other
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds i32, ptr addrspace(1) %g, i64 %i
  %to = getelementptr inbounds i32, ptr addrspace(3) %s, i64 %i
  %v = load i32, ptr addrspace(1) %from, align 4
  store i32 %v, ptr addrspace(3) %to, align 4
  %next = add nuw nsw i64 %i, 64
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %between
between:
  br label %second
second:
  %j = phi i64 [ 0, %between ], [ %j.next, %second ]
  %j.from = getelementptr inbounds i32, ptr addrspace(1) %h, i64 %j
  %j.to = getelementptr inbounds i32, ptr addrspace(3) %t, i64 %j
  %w = load i32, ptr addrspace(1) %j.from, align 4
  store i32 %w, ptr addrspace(3) %j.to, align 4
  %j.next = add nuw nsw i64 %j, 64
  %j.more = icmp ult i64 %j.next, %m
  br i1 %j.more, label %second, label %exit
exit:
  ret void
}
!0 = !{i32 1}
