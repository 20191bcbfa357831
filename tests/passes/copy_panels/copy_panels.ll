; What a strip of a loop reads for all work-items of a box is copied to where its elements are neighbours.
; RUN: %clarity opt --passes='loop-simplify,copy-panels,verify' %s -o - | FileCheck %s
; RUN: %clarity opt --passes='loop-simplify,copy-panels,lcssa,packets<8x2x4>,verify' %s -o - | FileCheck %s --check-prefix=VECTORS
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i32 @llvm.umin.i32(i32, i32)

; b is copied, row by row: its columns are consecutive, its rows far apart. Rows of a are read along the strip.
; CHECK-LABEL: define void @columns
; CHECK: %panel = alloca [131072 x float], align 64, !clarity.uniform.slot
; CHECK: %[[LENGTH:.*]] = call i32 @llvm.umin.i32(i32 %left, i32 256)
; CHECK: icmp ult i32 0, %[[LENGTH]]
; CHECK: panel.x:
; CHECK: %[[X:panel.at.x]] = phi i32 [ 0, %panel.y ]
; CHECK: panel.copy:
; CHECK: %[[I:.*]] = add nsw i32 %first, %panel.at.y
; CHECK: %[[ROW:.*]] = mul nsw i32 %[[I]], %n
; CHECK: add nsw i32 %[[ROW]], %[[X]]
; CHECK: %[[VALUE:.*]] = load float, ptr addrspace(1)
; CHECK: store float %[[VALUE]], ptr %
; CHECK: body:
; CHECK: %a.v = load float, ptr addrspace(1) %a.p
; CHECK: %[[J:.*]] = zext i32 %j to i64
; CHECK: %[[AT:.*]] = mul nuw nsw i64 %[[J]], 512
; CHECK: %[[WX:.*]] = zext i32 %x to i64
; CHECK: %[[INDEX:.*]] = add nuw nsw i64 %[[AT]], %[[WX]]
; CHECK: getelementptr inbounds float, ptr %panel, i64 %[[INDEX]]
; CHECK: %b.v{{.*}} = load float, ptr %
;
; VECTORS-LABEL: define void @columns
; VECTORS: load <8 x float>, ptr addrspace(1)
; VECTORS: store <8 x float>
define void @columns(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %n, i32 %first, i32 %left,
                     i32 %width, i32 %height) "clarity-box"="512" "clarity-lanes-along"="0" {
entry:
  %w = call i32 @llvm.umin.i32(i32 %width, i32 512)
  %h = call i32 @llvm.umin.i32(i32 %height, i32 512)
  br label %z.head
z.head:
  %z = phi i32 [ 0, %entry ], [ %z.next, %z.latch ], !clarity.counter !2
  br label %y.head
y.head:
  %y = phi i32 [ 0, %z.head ], [ %y.next, %y.latch ], !clarity.counter !1
  br label %x.head
x.head:
  %x = phi i32 [ 0, %y.head ], [ %x.next, %x.latch ], !clarity.counter !0
  br label %item
item:
  %length = call i32 @llvm.umin.i32(i32 %left, i32 256)
  %row = mul nsw i32 %y, %n
  %c.at = add nsw i32 %row, %x
  %c.wide = sext i32 %c.at to i64
  %c.p = getelementptr inbounds float, ptr addrspace(1) %c, i64 %c.wide
  %start = load float, ptr addrspace(1) %c.p
  br label %loop
loop:
  %j = phi i32 [ 0, %item ], [ %j.next, %body ]
  %sum = phi float [ %start, %item ], [ %sum.next, %body ]
  %i = add nsw i32 %first, %j
  %more = icmp ult i32 %j, %length
  br i1 %more, label %body, label %end, !clarity.strip !3
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
  %v = fmul float %a.v, %b.v
  %sum.next = fadd float %sum, %v
  %j.next = add nuw nsw i32 %j, 1
  br label %loop
end:
  store float %sum, ptr addrspace(1) %c.p
  br label %x.latch
x.latch:
  %x.next = add nuw nsw i32 %x, 1
  %x.more = icmp ult i32 %x.next, %w
  br i1 %x.more, label %x.head, label %y.latch, !clarity.item.loop !0
y.latch:
  %y.next = add nuw nsw i32 %y, 1
  %y.more = icmp ult i32 %y.next, %h
  br i1 %y.more, label %y.head, label %z.latch, !clarity.item.loop !1
z.latch:
  %z.next = add nuw nsw i32 %z, 1
  %z.more = icmp ult i32 %z.next, 1
  br i1 %z.more, label %z.head, label %done, !clarity.item.loop !2
done:
  ret void
}

; Not all work-items of the nest read: the copy would read more than they do.
; CHECK-LABEL: define void @guarded
; CHECK-NOT: panel
; CHECK: ret void
define void @guarded(ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %n, i32 %first, i32 %length, i32 %width, i32 %height)
    "clarity-box"="512" "clarity-lanes-along"="0" {
entry:
  br label %z.head
z.head:
  %z = phi i32 [ 0, %entry ], [ %z.next, %z.latch ], !clarity.counter !2
  br label %y.head
y.head:
  %y = phi i32 [ 0, %z.head ], [ %y.next, %y.latch ], !clarity.counter !1
  br label %x.head
x.head:
  %x = phi i32 [ 0, %y.head ], [ %x.next, %x.latch ], !clarity.counter !0
  br label %item
item:
  %odd = and i32 %x, 1
  %some = icmp eq i32 %odd, 0
  br i1 %some, label %into, label %x.latch
into:
  br label %loop
loop:
  %j = phi i32 [ 0, %into ], [ %j.next, %body ]
  %sum = phi float [ 0.0, %into ], [ %sum.next, %body ]
  %i = add nsw i32 %first, %j
  %more = icmp ult i32 %j, %length
  br i1 %more, label %body, label %end, !clarity.strip !3
body:
  %b.row = mul nsw i32 %i, %n
  %b.at = add nsw i32 %b.row, %x
  %b.wide = sext i32 %b.at to i64
  %b.p = getelementptr inbounds float, ptr addrspace(1) %b, i64 %b.wide
  %b.v = load float, ptr addrspace(1) %b.p
  %sum.next = fadd float %sum, %b.v
  %j.next = add nuw nsw i32 %j, 1
  br label %loop
end:
  %wide = zext i32 %x to i64
  %c.p = getelementptr inbounds float, ptr addrspace(1) %c, i64 %wide
  store float %sum, ptr addrspace(1) %c.p
  br label %x.latch
x.latch:
  %x.next = add nuw nsw i32 %x, 1
  %x.more = icmp ult i32 %x.next, %width
  br i1 %x.more, label %x.head, label %y.latch, !clarity.item.loop !0
y.latch:
  %y.next = add nuw nsw i32 %y, 1
  %y.more = icmp ult i32 %y.next, %height
  br i1 %y.more, label %y.head, label %z.latch, !clarity.item.loop !1
z.latch:
  %z.next = add nuw nsw i32 %z, 1
  %z.more = icmp ult i32 %z.next, 1
  br i1 %z.more, label %z.head, label %done, !clarity.item.loop !2
done:
  ret void
}

!0 = !{i32 0}
!1 = !{i32 1}
!2 = !{i32 2}
!3 = !{i64 256}
