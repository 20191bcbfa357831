; LLVM's indvars as the pipeline runs it: counters get the width of what they index, but not those of loops over tiles
; that have other loops inside.
; RUN: %clarity opt --passes='loop(indvars<but-around-tiles>)' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define void @tiles
; CHECK: %tile = phi i32
; CHECK: %indvars.iv = phi i64
define void @tiles(ptr %p, i32 %n) {
entry:
  br label %outer
outer:
  %tile = phi i32 [ 0, %entry ], [ %nextTile, %latch ]
  %at = zext i32 %tile to i64
  %q = getelementptr inbounds float, ptr %p, i64 %at
  br label %inner
inner:
  %i32 = phi i32 [ 0, %outer ], [ %next, %inner ]
  %i = zext i32 %i32 to i64
  %r = getelementptr inbounds float, ptr %q, i64 %i
  store float 1.0, ptr %r
  %next = add nuw nsw i32 %i32, 1
  %more = icmp ult i32 %next, 100
  br i1 %more, label %inner, label %latch
latch:
  %nextTile = add nuw nsw i32 %tile, 16
  %moreTiles = icmp ult i32 %nextTile, 1600
  br i1 %moreTiles, label %outer, label %exit, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define void @loops
; CHECK: outer:
; CHECK-NEXT: phi i64
; CHECK: inner:
; CHECK-NEXT: phi i64
define void @loops(ptr %p, i32 %n) {
entry:
  br label %outer
outer:
  %outer32 = phi i32 [ 0, %entry ], [ %nextOuter, %latch ]
  %at = zext i32 %outer32 to i64
  %q = getelementptr inbounds float, ptr %p, i64 %at
  br label %inner
inner:
  %i32 = phi i32 [ 0, %outer ], [ %next, %inner ]
  %i = zext i32 %i32 to i64
  %r = getelementptr inbounds float, ptr %q, i64 %i
  store float 1.0, ptr %r
  %next = add nuw nsw i32 %i32, 1
  %more = icmp ult i32 %next, 100
  br i1 %more, label %inner, label %latch
latch:
  %nextOuter = add nuw nsw i32 %outer32, 16
  %moreOuter = icmp ult i32 %nextOuter, 1600
  br i1 %moreOuter, label %outer, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @innermost
; CHECK: loop:
; CHECK-NEXT: phi i64
define void @innermost(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %tile32 = phi i32 [ 0, %entry ], [ %next, %loop ]
  %tile = zext i32 %tile32 to i64
  %q = getelementptr inbounds float, ptr %p, i64 %tile
  store float 1.0, ptr %q
  %next = add nuw nsw i32 %tile32, 16
  %more = icmp ult i32 %next, 1600
  br i1 %more, label %loop, label %exit, !llvm.loop !2
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.isvectorized", i32 1}
!2 = distinct !{!2, !1}
