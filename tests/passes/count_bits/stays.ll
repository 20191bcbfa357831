; Loops that compute something else, or that have effects, stay.
; RUN: %clarity opt --verify-each --passes=count-bits %s -o - | FileCheck %s --implicit-check-not="= call"
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; A product of one factor for each bit.
; CHECK-LABEL: define i32 @product
; CHECK: %product = mul i32 %p, 3
define i32 @product(i32 %x) {
entry:
  br label %loop
loop:
  %v = phi i32 [ %x, %entry ], [ %cleared, %body ]
  %p = phi i32 [ 1, %entry ], [ %product, %body ]
  %end = icmp eq i32 %v, 0
  br i1 %end, label %exit, label %body
body:
  %less = add i32 %v, -1
  %cleared = and i32 %v, %less
  %product = mul i32 %p, 3
  br label %loop
exit:
  ret i32 %p
}

; Each iteration stores.
; CHECK-LABEL: define void @stores
; CHECK: store i32 %v
define void @stores(i32 %x, ptr %out) {
entry:
  br label %loop
loop:
  %v = phi i32 [ %x, %entry ], [ %half, %body ]
  %end = icmp eq i32 %v, 0
  br i1 %end, label %exit, label %body
body:
  store i32 %v, ptr %out
  %half = lshr i32 %v, 1
  br label %loop
exit:
  ret void
}

; A counter alone: no bits.
; CHECK-LABEL: define i32 @counter
; CHECK: br i1 %end, label %exit, label %body
define i32 @counter(i32 %x) {
entry:
  br label %loop
loop:
  %c = phi i32 [ 0, %entry ], [ %more, %body ]
  %sum = phi i32 [ 0, %entry ], [ %next, %body ]
  %end = icmp eq i32 %c, 10
  br i1 %end, label %exit, label %body
body:
  %more = add i32 %c, 1
  %next = add i32 %sum, %x
  br label %loop
exit:
  ret i32 %sum
}

; The place of the bit begins again at 32 before the loop must end.
; CHECK-LABEL: define i32 @around
; CHECK: br i1 %clear, label %next, label %exit
define i32 @around(i32 %x) {
entry:
  br label %loop
loop:
  %b = phi i32 [ 20, %entry ], [ %more, %next ]
  %left = icmp ult i32 %b, 40
  br i1 %left, label %body, label %exit
body:
  %at = and i32 %b, 31
  %mask = shl nuw i32 1, %at
  %bit = and i32 %x, %mask
  %clear = icmp eq i32 %bit, 0
  br i1 %clear, label %next, label %exit
next:
  %more = add nsw i32 %b, 1
  br label %loop
exit:
  ret i32 %b
}

; The ways out lead to different blocks.
; CHECK-LABEL: define i32 @parts
; CHECK: br i1 %few, label %body, label %none
define i32 @parts(i32 %x) {
entry:
  br label %loop
loop:
  %v = phi i32 [ %x, %entry ], [ %half, %next ]
  %c = phi i32 [ 0, %entry ], [ %more, %next ]
  %few = icmp ult i32 %c, 20
  br i1 %few, label %body, label %none
body:
  %bit = and i32 %v, 1
  %clear = icmp eq i32 %bit, 0
  br i1 %clear, label %next, label %exit
next:
  %more = add i32 %c, 1
  %half = lshr i32 %v, 1
  br label %loop
none:
  ret i32 -1
exit:
  ret i32 %c
}
