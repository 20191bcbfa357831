; Sums and differences that LLVM writes as `or` and `xor` of bits that do not meet.
; RUN: %clarity opt --passes='narrow-indices' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: define i64 @disjoint
; CHECK: add nuw nsw i64 %first, %x
define i64 @disjoint(i64 %first) {
  %x = call i64 @__clarity_local_id(i32 0)
  %i = or disjoint i64 %first, %x
  ret i64 %i
}

; CHECK-LABEL: define i64 @may_meet
; CHECK: or i64 %first, %x
define i64 @may_meet(i64 %first) {
  %x = call i64 @__clarity_local_id(i32 0)
  %i = or i64 %first, %x
  ret i64 %i
}

; The branch lets only multiples of four pass.
; CHECK-LABEL: define i64 @guarded
; CHECK: then:
; CHECK: add nuw nsw i64 %x, 2
; CHECK: odd:
; CHECK: or i64 %x, 2
; CHECK: more:
; CHECK: or i64 %x, 6
define i64 @guarded() {
  %x = call i64 @__clarity_local_id(i32 0)
  %n = trunc i64 %x to i32
  %r = and i32 %n, 3
  %c = icmp eq i32 %r, 0
  br i1 %c, label %then, label %odd
then:
  %i = or i64 %x, 2
  %d = icmp ugt i64 %i, 8
  br i1 %d, label %more, label %end
odd:
  %j = or i64 %x, 2
  ret i64 %j
more:
  %k = or i64 %x, 6
  ret i64 %k
end:
  ret i64 %i
}

; 255 - x, for x below 256.
; CHECK-LABEL: define i64 @backwards
; CHECK: sub nuw nsw i64 255, %x
define i64 @backwards() {
  %x = call range(i64 0, 200) i64 @__clarity_local_id(i32 0)
  %i = xor i64 %x, 255
  ret i64 %i
}

; A shuffle: bits above the mask may be set, or bits below it left alone.
; CHECK-LABEL: define i64 @shuffles
; CHECK: xor i64 %x, 127
; CHECK: xor i64 %x, 128
define i64 @shuffles() {
  %x = call range(i64 0, 200) i64 @__clarity_local_id(i32 0)
  %i = xor i64 %x, 127
  %j = xor i64 %x, 128
  %k = add i64 %i, %j
  ret i64 %k
}
