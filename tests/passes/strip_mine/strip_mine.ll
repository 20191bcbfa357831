; A long loop whose work-items share what they load runs strip by strip, each strip for a box of work-items.
; RUN: %clarity opt --passes='strip-mine,verify' %s -o - | FileCheck %s
; RUN: %clarity opt --passes='strip-mine,prepare-barriers,save-live-values,work-item-loops<group-agnostic>,verify' %s -o - | FileCheck %s --check-prefix=LOOPS
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32) nounwind speculatable willreturn memory(none)

; CHECK-LABEL: define void @product
; CHECK-SAME: #[[BOX:[0-9]+]]
; CHECK: %[[SOME:.*]] = icmp slt i32 0, %n
; CHECK: %[[ALL:.*]] = sub i32 %n, 0
; CHECK: %iterations = select i1 %[[SOME]], i32 %[[ALL]], i32 0
; CHECK: store float 0.000000e+00, ptr %sum.carried
; CHECK: br label %strips.begin
; CHECK: strips:
; CHECK: %done = phi i32 [ 0, %strips.begin ], [ %{{.*}}, %strip.next ]
; CHECK: icmp ult i32 %done, %iterations
; CHECK: strip:
; CHECK: %length = call i32 @llvm.umin.i32(i32 %{{.*}}, i32 256)
; CHECK: load float, ptr %sum.carried
; CHECK: loop:
; CHECK: %in.strip = phi i32 [ 0, %strip ]
; CHECK: icmp ult i32 %in.strip, %length
; CHECK: br {{.*}}, !clarity.strip ![[STRIP:[0-9]+]]
; CHECK: strip.end:
; CHECK: store float %sum, ptr %sum.carried
; CHECK: strip.next:
; CHECK: call void @__clarity_barrier(i32 0)
; CHECK: end:
; CHECK: %[[SUM:.*]] = load float, ptr %sum.carried
; CHECK: store float %[[SUM]]
;
; Boxes of 512 x 512 work-items, which carry their sums through the spill area.
; LOOPS-LABEL: define void @product
; LOOPS-DAG: call i32 @llvm.umin.i32(i32 %{{.*}}, i32 512)
; LOOPS-DAG: %spill.area = call ptr @__clarity_barrier_spill_area()
define void @product(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %n) {
entry:
  %x64 = call i64 @__clarity_global_id(i32 0)
  %y64 = call i64 @__clarity_global_id(i32 1)
  %x = trunc i64 %x64 to i32
  %y = trunc i64 %y64 to i32
  %row = mul nsw i32 %y, %n
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %a.at = add nsw i32 %row, %i
  %a.wide = sext i32 %a.at to i64
  %a.p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %a.wide
  %a.v = load float, ptr addrspace(1) %a.p
  %b.row = mul nsw i32 %i, %n
  %b.at = add nsw i32 %b.row, %x
  %b.wide = sext i32 %b.at to i64
  %b.p = getelementptr inbounds float, ptr addrspace(1) %b, i64 %b.wide
  %b.v = load float, ptr addrspace(1) %b.p
  %sum.next = call float @llvm.fmuladd.f32(float %a.v, float %b.v, float %sum)
  %i.next = add nuw nsw i32 %i, 1
  br label %loop
end:
  %c.at = add nsw i32 %row, %x
  %c.wide = sext i32 %c.at to i64
  %c.p = getelementptr inbounds float, ptr addrspace(1) %c, i64 %c.wide
  store float %sum, ptr addrspace(1) %c.p
  ret void
}

; Work-items that fail a condition pass by in each strip. What only those that pass may load stays behind it.
; CHECK-LABEL: define void @guarded
; CHECK: %x.in = icmp slt i32 %x, %n
; CHECK: %y.in = icmp slt i32 %y, %n
; CHECK: %[[BOTH:.*]] = select i1 %x.in, i1 %y.in, i1 false
; CHECK: br i1 %[[BOTH]], label %inside, label %strips.begin
; CHECK: inside:
; CHECK: %first = load float
; CHECK: store float %first, ptr %sum.carried
; CHECK: strip:
; CHECK: br i1 %[[BOTH]], label %strip.begin, label %strip.next
; CHECK: strips.done:
; CHECK: br i1 %[[BOTH]], label %end, label %outside
define void @guarded(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %n) {
entry:
  %x64 = call i64 @__clarity_global_id(i32 0)
  %y64 = call i64 @__clarity_global_id(i32 1)
  %x = trunc i64 %x64 to i32
  %y = trunc i64 %y64 to i32
  %x.in = icmp slt i32 %x, %n
  br i1 %x.in, label %column, label %outside
column:
  %y.in = icmp slt i32 %y, %n
  br i1 %y.in, label %inside, label %outside
inside:
  %row = mul nsw i32 %y, %n
  %c.at = add nsw i32 %row, %x
  %c.wide = sext i32 %c.at to i64
  %c.p = getelementptr inbounds float, ptr addrspace(1) %c, i64 %c.wide
  %first = load float, ptr addrspace(1) %c.p
  br label %loop
loop:
  %i = phi i32 [ 0, %inside ], [ %i.next, %body ]
  %sum = phi float [ %first, %inside ], [ %sum.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %a.at = add nsw i32 %row, %i
  %a.wide = sext i32 %a.at to i64
  %a.p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %a.wide
  %a.v = load float, ptr addrspace(1) %a.p
  %b.row = mul nsw i32 %i, %n
  %b.at = add nsw i32 %b.row, %x
  %b.wide = sext i32 %b.at to i64
  %b.p = getelementptr inbounds float, ptr addrspace(1) %b, i64 %b.wide
  %b.v = load float, ptr addrspace(1) %b.p
  %sum.next = call float @llvm.fmuladd.f32(float %a.v, float %b.v, float %sum)
  %i.next = add nuw nsw i32 %i, 1
  br label %loop
end:
  store float %sum, ptr addrspace(1) %c.p
  br label %outside
outside:
  ret void
}

; The loop writes: the order of work-items would matter.
; CHECK-LABEL: define void @writes
; CHECK-NOT: __clarity_barrier
; CHECK: ret void
define void @writes(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %n) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %y = call i64 @__clarity_global_id(i32 1)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %wide = zext i32 %i to i64
  %a.row = getelementptr inbounds [1024 x float], ptr addrspace(1) %a, i64 %y, i64 %wide
  %a.v = load float, ptr addrspace(1) %a.row
  %b.row = getelementptr inbounds [1024 x float], ptr addrspace(1) %b, i64 %wide, i64 %x
  %b.v = load float, ptr addrspace(1) %b.row
  %v = fmul float %a.v, %b.v
  %c.p = getelementptr inbounds float, ptr addrspace(1) %c, i64 %x
  store float %v, ptr addrspace(1) %c.p
  %i.next = add nuw nsw i32 %i, 1
  br label %loop
end:
  ret void
}

; A row times a vector: work-items along y have nothing in common that lies far apart.
; CHECK-LABEL: define void @apart
; CHECK-NOT: __clarity_barrier
; CHECK: ret void
define void @apart(ptr addrspace(1) %a, ptr addrspace(1) %c, i32 %n) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %y = call i64 @__clarity_global_id(i32 1)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %wide = zext i32 %i to i64
  %a.row = getelementptr inbounds [1024 x float], ptr addrspace(1) %a, i64 %y, i64 %wide
  %a.v = load float, ptr addrspace(1) %a.row
  %b.row = getelementptr inbounds [1024 x float], ptr addrspace(1) %c, i64 %y, i64 %x
  %b.v = load float, ptr addrspace(1) %b.row
  %v = fmul float %a.v, %b.v
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  br label %loop
end:
  %c.p = getelementptr inbounds float, ptr addrspace(1) %c, i64 %x
  store float %sum, ptr addrspace(1) %c.p
  ret void
}

; CHECK: attributes #[[BOX]] = { "clarity-box"="512" }
; CHECK: ![[STRIP]] = !{i64 256}
