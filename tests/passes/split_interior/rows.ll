; Interior work-items of a row have a copy of the loops without clamped, wrapped or masked neighbours.
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,narrow-indices,loop-simplify,split-interior' %s -o - | FileCheck %s
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,narrow-indices,loop-simplify,split-interior,loop-simplify,lcssa,packets<4x1x1>' %s -o - | FileCheck %s --check-prefix=VECTORS
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)

; Both ends of the row in two iterations of the form as it was; between them the clamped index is the index.
; CHECK-LABEL: define void @clamped
; CHECK: band:
; CHECK: ends:
; CHECK: %second = phi i1 [ false, %band{{.*}} ], [ true, %end.next ]
; CHECK: entry:
; CHECK: call i32 @llvm.smax.i32
; CHECK: call i32 @llvm.smin.i32
; CHECK: end.next:
; CHECK: br i1 %second, label %between, label %ends
; CHECK: interior:
; CHECK: entry.inner:
; CHECK-NOT: call i32 @llvm.smax.i32
; CHECK-NOT: call i32 @llvm.smin.i32
; CHECK: %[[I:.*]] = sext i32 %left.inner to i64
; CHECK: getelementptr inbounds float, ptr addrspace(1) %a, i64 %[[I]]
; CHECK: region0.x.next.inner:
; VECTORS-LABEL: define void @clamped
; VECTORS: load <4 x float>, ptr addrspace(1)
define void @clamped(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %last) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %left = add nsw i32 %x, -1
  %some = call i32 @llvm.smax.i32(i32 %left, i32 0)
  %at = call i32 @llvm.smin.i32(i32 %some, i32 %last)
  %wide = sext i32 %at to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %v, ptr addrspace(1) %o
  ret void
}

; All have the quotient that the work-item in the middle has: what is left of the remainder is a difference.
; CHECK-LABEL: define void @around
; CHECK: %[[PAST:.*]] = urem i64
; CHECK: %[[FIRST64:.*]] = sub i64 %{{.*}}, %[[PAST]]
; CHECK: %[[FIRST:.*]] = trunc i64 %[[FIRST64]] to i32
; CHECK: entry.inner:
; CHECK-NOT: rem i32
; CHECK: sub i32 %{{.*}}, %[[FIRST]]
; CHECK: region0.x.next.inner:
; VECTORS-LABEL: define void @around
; VECTORS: load <4 x float>, ptr addrspace(1)
define void @around(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %width) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %sum = add i32 %x, %width
  %left = add i32 %sum, -1
  %some = call i32 @llvm.umin.i32(i32 %width, i32 1)
  %none = icmp eq i32 %some, 0
  %by = select i1 %none, i32 1, i32 %width
  %at = urem i32 %left, %by
  %wide = zext i32 %at to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %v, ptr addrspace(1) %o
  ret void
}

; A comparison with 0 is about the lower boundary; of the other it depends on the launch which side the middle is on: an answer for all.
; A load that was behind a branch for some is behind one for all, or none.
; CHECK-LABEL: define void @left_out
; CHECK: %[[ANSWER:.*]] = icmp slt i64
; CHECK: entry.inner:
; CHECK-NEXT: add
; CHECK: br label %then.inner
; CHECK: join.inner:
; CHECK-NOT: icmp
; CHECK: br i1 %[[ANSWER]], label %then2.inner, label %join2.inner
; CHECK: region0.x.next.inner:
define void @left_out(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %width) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %inside = icmp sgt i32 %x, 0
  br i1 %inside, label %then, label %join
then:
  %left = add nsw i32 %x, -1
  %wide = sext i32 %left to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  br label %join
join:
  %w = phi float [ %v, %then ], [ 0.0, %entry ]
  %right = add nsw i32 %x, 1
  %inside2 = icmp slt i32 %right, %width
  br i1 %inside2, label %then2, label %join2
then2:
  %wide2 = sext i32 %right to i64
  %p2 = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide2
  %v2 = load float, ptr addrspace(1) %p2
  br label %join2
join2:
  %w2 = phi float [ %v2, %then2 ], [ %w, %join ]
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %w2, ptr addrspace(1) %o
  ret void
}

; In a loop the bounds count for all of its turns, as many as it will have.
; CHECK-LABEL: define void @turns
; CHECK: %[[LEFT:.*]] = call i64 @llvm.usub.sat.i64(i64 %{{.*}}, i64 1)
; CHECK: entry.inner:
; CHECK-NOT: call i32 @llvm.smax.i32
; CHECK: region0.x.next.inner:
; VECTORS-LABEL: define void @turns
; VECTORS: load <4 x float>, ptr addrspace(1)
define void @turns(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %radius) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %first = sub nsw i32 0, %radius
  br label %for.cond
for.cond:
  %d = phi i32 [ %first, %entry ], [ %next, %for.body ]
  %sum = phi float [ 0.0, %entry ], [ %more, %for.body ]
  %c = icmp sle i32 %d, %radius
  br i1 %c, label %for.body, label %end
for.body:
  %left = add nsw i32 %x, %d
  %at = call i32 @llvm.smax.i32(i32 %left, i32 0)
  %wide = sext i32 %at to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %more = fadd float %sum, %v
  %next = add nsw i32 %d, 1
  br label %for.cond
end:
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %sum, ptr addrspace(1) %o
  ret void
}

; What ends a loop is no boundary operation, and values that lead to no address and no branch are computed as they are.
; CHECK-LABEL: define void @left_alone
; CHECK-NOT: inner
; CHECK: }
define void @left_alone(ptr addrspace(1) %out, i32 %width) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %half = call i32 @llvm.smin.i32(i32 %x, i32 %width)
  br label %loop
loop:
  %d = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nsw i32 %d, 1
  %at = add nsw i32 %x, %next
  %c = icmp slt i32 %at, %width
  br i1 %c, label %loop, label %end
end:
  %v = add i32 %next, %half
  %o = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %id
  store i32 %v, ptr addrspace(1) %o
  ret void
}
