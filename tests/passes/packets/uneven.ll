; Gathers in a loop that work-items leave in different turns: without an instruction for them work-items one after the other
; are faster. In a loop that all leave together packets are.
; RUN: %clarity opt --passes='specialize-shape<64x1x1>,work-item-loops,lower-switch,loop-simplify,lcssa,packets' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: define void @uneven
; CHECK-NOT: x float>
; CHECK-LABEL: define void @even
; CHECK: load <8 x i32>
define void @uneven(ptr addrspace(1) %ends, ptr addrspace(1) %columns, ptr addrspace(1) %x, ptr addrspace(1) %sums) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %end.p = getelementptr i32, ptr addrspace(1) %ends, i64 %id
  %end = load i32, ptr addrspace(1) %end.p
  %start = trunc i64 %id to i32
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %i.wide = zext i32 %i to i64
  %scaled = mul i64 %i.wide, %id
  %column.p = getelementptr i32, ptr addrspace(1) %columns, i64 %scaled
  %column = load i32, ptr addrspace(1) %column.p
  %column.wide = zext i32 %column to i64
  %x.p = getelementptr float, ptr addrspace(1) %x, i64 %column.wide
  %v = load float, ptr addrspace(1) %x.p
  %more = fadd float %sum, %v
  %next = add i32 %i, 1
  %on = icmp ne i32 %next, %end
  br i1 %on, label %loop, label %done
done:
  %p = getelementptr float, ptr addrspace(1) %sums, i64 %id
  store float %more, ptr addrspace(1) %p
  ret void
}

define void @even(i32 %end, ptr addrspace(1) %columns, ptr addrspace(1) %x, ptr addrspace(1) %sums) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %column.p = getelementptr i32, ptr addrspace(1) %columns, i64 %id
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %column = load i32, ptr addrspace(1) %column.p
  %moved = add i32 %column, %i
  %column.wide = zext i32 %moved to i64
  %x.p = getelementptr float, ptr addrspace(1) %x, i64 %column.wide
  %v = load float, ptr addrspace(1) %x.p
  %more = fadd float %sum, %v
  %next = add i32 %i, 1
  %on = icmp ne i32 %next, %end
  br i1 %on, label %loop, label %done
done:
  %p = getelementptr float, ptr addrspace(1) %sums, i64 %id
  store float %more, ptr addrspace(1) %p
  ret void
}

; A loop that every work-item repeats until its exchange succeeds: each goes alone, whatever else the loop computes.
; CHECK-LABEL: define void @exchange
; CHECK-NOT: x float>
; CHECK-NOT: x i32>
; CHECK: cmpxchg
; CHECK-NOT: cmpxchg
; CHECK: ret void
define void @exchange(ptr addrspace(1) %places, ptr addrspace(1) %x, ptr addrspace(1) %sums) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %place.p = getelementptr i32, ptr addrspace(1) %places, i64 %id
  %place = load i32, ptr addrspace(1) %place.p
  %place.wide = zext i32 %place to i64
  %sum.p = getelementptr i32, ptr addrspace(1) %sums, i64 %place.wide
  %x.p = getelementptr float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %x.p
  %first = load i32, ptr addrspace(1) %sum.p
  br label %loop
loop:
  %old = phi i32 [ %first, %entry ], [ %found, %loop ]
  %number = bitcast i32 %old to float
  %sum = fadd float %number, %v
  %new = bitcast float %sum to i32
  %both = cmpxchg ptr addrspace(1) %sum.p, i32 %old, i32 %new monotonic monotonic
  %found = extractvalue { i32, i1 } %both, 0
  %done = icmp eq i32 %found, %old
  br i1 %done, label %end, label %loop
end:
  ret void
}
