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
