; Sums of int that LLVM computes in the upper half of a word of 64 bits become sums of int again. Nothing is known of
; ids: no flags.
; RUN: %clarity opt --processor sm_90 --passes='narrow-indices<threads>,adce' %s -o - | FileCheck %s

; CHECK-LABEL: define i64 @sum
; CHECK: %[[Y:.*]] = trunc i64 %y to i32
; CHECK: %[[ROW:.*]] = shl i32 %[[Y]], 10
; CHECK: %[[X:.*]] = trunc i64 %x to i32
; CHECK: %[[INDEX:.*]] = add i32 %[[ROW]], %{{.*}}
; CHECK: %[[WIDE:.*]] = sext i32 %[[INDEX]] to i64
; CHECK: %[[BYTES:.*]] = shl nsw i64 %[[WIDE]], 2
; CHECK-NEXT: ret i64 %[[BYTES]]
define i64 @sum(i64 %x, i64 %y) {
  %row = shl i64 %y, 42
  %column = shl i64 %x, 32
  %index = add i64 %row, %column
  %bytes = ashr exact i64 %index, 30
  ret i64 %bytes
}

; A difference, and a constant, which is 3 in the upper half; no scale.
; CHECK-LABEL: define i64 @difference
; CHECK: %[[X:.*]] = trunc i64 %x to i32
; CHECK: %[[INDEX:.*]] = sub i32 3, %{{.*}}
; CHECK: %[[WIDE:.*]] = sext i32 %[[INDEX]] to i64
; CHECK-NOT: ashr
; CHECK: ret i64
define i64 @difference(i64 %x) {
  %column = shl i64 %x, 32
  %index = sub i64 12884901888, %column
  %wide = ashr exact i64 %index, 32
  ret i64 %wide
}

; CHECK-LABEL: define i32 @reversed
; CHECK-NEXT: %[[SAME:.*]] = sub nuw nsw i32 -1, %x
; CHECK-NEXT: ret i32 %[[SAME]]
define i32 @reversed(i32 %x) {
  %reversed = xor i32 %x, -1
  ret i32 %reversed
}

; Bits of the lower half would be lost: those of %low.
; CHECK-LABEL: define i64 @low
; CHECK: ashr i64 %index, 30
define i64 @low(i64 %x, i64 %low) {
  %column = shl i64 %x, 32
  %part = shl i64 %low, 31
  %index = add i64 %column, %part
  %bytes = ashr i64 %index, 30
  ret i64 %bytes
}

; A constant with a bit in the lower half.
; CHECK-LABEL: define i64 @constant
; CHECK: ashr i64 %index, 30
define i64 @constant(i64 %x) {
  %column = shl i64 %x, 32
  %index = add i64 %column, 2147483648
  %bytes = ashr i64 %index, 30
  ret i64 %bytes
}

; The sign ends up elsewhere: less than the upper half is left.
; CHECK-LABEL: define i64 @part
; CHECK: ashr i64 %column, 33
define i64 @part(i64 %x) {
  %column = shl i64 %x, 32
  %half = ashr i64 %column, 33
  ret i64 %half
}

; Without sign, and no index: a number of 32 bits, and one bit of it.
; CHECK-LABEL: define i64 @other
; CHECK: %[[LOW:.*]] = trunc i64 %x to i32
; CHECK: %[[WIDE:.*]] = zext i32 %[[LOW]] to i64
; CHECK: %[[BYTES:.*]] = shl nuw i64 %[[WIDE]], 2
; CHECK: xor i64 %[[BYTES]], 1
define i64 @other(i64 %x) {
  %column = shl i64 %x, 32
  %bytes = lshr i64 %column, 30
  %flipped = xor i64 %bytes, 1
  ret i64 %flipped
}

; Ids may have more than 31 bits: their sums have no flags, and arithmetic of 64 bits stays.
declare i64 @__clarity_global_id(i32)
; CHECK-LABEL: define i64 @large
; CHECK: %[[X:.*]] = trunc i64 %id to i32
; CHECK: %[[INDEX:.*]] = add i32 %[[X]], 1
; CHECK: sext i32 %[[INDEX]] to i64
; CHECK: and i64 %id, 2147483647
; CHECK: udiv i64 %id, 10
define i64 @large() {
  %id = call i64 @__clarity_global_id(i32 0)
  %column = shl i64 %id, 32
  %next = add i64 %column, 4294967296
  %index = ashr exact i64 %next, 32
  %positive = and i64 %id, 2147483647
  %tenth = udiv i64 %id, 10
  %a = add i64 %index, %positive
  %b = add i64 %a, %tenth
  ret i64 %b
}
