; Loops over the bits of a number are counts of its ones or zeros.
; RUN: %clarity opt --verify-each --passes=count-bits,instcombine,simplifycfg %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define i32 @cleared
; CHECK: %[[ONES:.*]] = call {{.*}}i32 @llvm.ctpop.i32(i32 %x)
; CHECK-NEXT: %[[SUM:.*]] = add i32 %n, %[[ONES]]
; CHECK-NEXT: ret i32 %[[SUM]]
define i32 @cleared(i32 %x, i32 %n) {
entry:
  br label %loop
loop:
  %v = phi i32 [ %x, %entry ], [ %cleared, %body ]
  %c = phi i32 [ %n, %entry ], [ %more, %body ]
  %end = icmp eq i32 %v, 0
  br i1 %end, label %exit, label %body
body:
  %less = add i32 %v, -1
  %cleared = and i32 %v, %less
  %more = add i32 %c, 1
  br label %loop
exit:
  ret i32 %c
}

; All bits that have passed are added at once; the loop ends with the highest one.
; CHECK-LABEL: define i32 @shifted_out
; CHECK-NOT: phi
; CHECK: %[[ONES:.*]] = call {{.*}}i64 @llvm.ctpop.i64(i64 %x)
; CHECK-NOT: phi
; CHECK: ret i32
define i32 @shifted_out(i64 %x) {
entry:
  br label %loop
loop:
  %v = phi i64 [ %x, %entry ], [ %half, %body ]
  %c = phi i32 [ 0, %entry ], [ %sum, %body ]
  %end = icmp eq i64 %v, 0
  br i1 %end, label %exit, label %body
body:
  %cut = trunc i64 %v to i32
  %bit = and i32 %cut, 1
  %sum = add i32 %c, %bit
  %half = lshr i64 %v, 1
  br label %loop
exit:
  ret i32 %c
}

; The length of a number, in a loop that tests behind the step: that of half the number is one less.
; CHECK-LABEL: define i32 @highest
; CHECK: %[[HALF:.*]] = lshr i32 %x, 1
; CHECK-NEXT: %[[ZEROS:.*]] = call {{.*}}i32 @llvm.ctlz.i32(i32 %[[HALF]], i1 false)
; CHECK-NEXT: %[[LENGTH:.*]] = sub nuw nsw i32 32, %[[ZEROS]]
; CHECK-NEXT: ret i32 %[[LENGTH]]
define i32 @highest(i32 %x) {
entry:
  br label %loop
loop:
  %v = phi i32 [ %x, %entry ], [ %half, %body ]
  %c = phi i32 [ 0, %entry ], [ %more, %body ]
  %half = lshr i32 %v, 1
  %end = icmp eq i32 %half, 0
  br i1 %end, label %exit, label %body
body:
  %more = add i32 %c, 1
  br label %loop
exit:
  ret i32 %c
}

; A counter ends the loop, too: whichever is first. What is left of the number is shifted at once.
; CHECK-LABEL: define i32 @limited
; CHECK: %[[SOME:.*]] = or i32 %x, 1048576
; CHECK-NEXT: %[[N:.*]] = call {{.*}}i32 @llvm.cttz.i32(i32 %[[SOME]], i1 true)
; CHECK-NEXT: %[[LEFT:.*]] = lshr i32 %x, %[[N]]
; CHECK-NEXT: %[[SUM:.*]] = add i32 %[[N]], %[[LEFT]]
; CHECK-NEXT: ret i32 %[[SUM]]
define i32 @limited(i32 %x) {
entry:
  br label %loop
loop:
  %v = phi i32 [ %x, %entry ], [ %half, %body ]
  %c = phi i32 [ 0, %entry ], [ %more, %body ]
  %few = icmp ult i32 %c, 20
  %bit = and i32 %v, 1
  %clear = icmp eq i32 %bit, 0
  %on = select i1 %few, i1 %clear, i1 false
  br i1 %on, label %body, label %exit
body:
  %more = add i32 %c, 1
  %half = lshr i32 %v, 1
  br label %loop
exit:
  %r = add i32 %c, %v
  ret i32 %r
}

; Two ways out, which bring different numbers, -1 where no bit is found: a search from the highest bit down.
; CHECK-LABEL: define i32 @sought
; CHECK: %[[ZEROS:.*]] = call {{.*}}i32 @llvm.ctlz.i32(i32 %x, i1 false)
; CHECK-NEXT: %[[PLACE:.*]] = sub nsw i32 31, %[[ZEROS]]
; CHECK-NEXT: ret i32 %[[PLACE]]
define i32 @sought(i32 %x) {
entry:
  br label %loop
loop:
  %b = phi i32 [ 31, %entry ], [ %less, %next ]
  %left = icmp sgt i32 %b, -1
  br i1 %left, label %body, label %exit
body:
  %at = and i32 %b, 31
  %mask = shl nuw i32 1, %at
  %bit = and i32 %x, %mask
  %clear = icmp eq i32 %bit, 0
  br i1 %clear, label %next, label %exit
next:
  %less = add nsw i32 %b, -1
  br label %loop
exit:
  %place = phi i32 [ -1, %loop ], [ %b, %body ]
  ret i32 %place
}

; Each bit of a Gray code's number is the parity of those at its place and above.
; CHECK-LABEL: define i32 @gray
; CHECK-NOT: phi
; CHECK-COUNT-5: lshr
; CHECK-NOT: phi
; CHECK: ret i32
define i32 @gray(i32 %x) {
entry:
  br label %loop
loop:
  %v = phi i32 [ %x, %entry ], [ %half, %body ]
  %c = phi i32 [ 0, %entry ], [ %other, %body ]
  %end = icmp eq i32 %v, 0
  br i1 %end, label %exit, label %body
body:
  %other = xor i32 %c, %v
  %half = lshr i32 %v, 1
  br label %loop
exit:
  ret i32 %c
}
