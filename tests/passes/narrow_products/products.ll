; Shifted products of small signed numbers are cut to 16 bits by a shuffle; where LLVM is right they stay.
; RUN: %clarity opt --passes='narrow-products' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define <4 x i16> @of_ints
; CHECK: trunc <4 x i32>
define <4 x i16> @of_ints(<4 x i16> %a, <4 x i16> %b) {
  %s = sext <4 x i16> %a to <4 x i32>
  %u = sext <4 x i16> %b to <4 x i32>
  %m = mul nsw <4 x i32> %s, %u
  %h = ashr <4 x i32> %m, splat (i32 20)
  %t = trunc <4 x i32> %h to <4 x i16>
  ret <4 x i16> %t
}

; CHECK-LABEL: define <2 x i16> @of_longs
; CHECK: %[[ALL:.*]] = bitcast <2 x i64> %h to <8 x i16>
; CHECK: shufflevector <8 x i16> %[[ALL]], <8 x i16> poison, <2 x i32> <i32 0, i32 4>
; CHECK-NOT: trunc
define <2 x i16> @of_longs(<2 x i8> %a) {
  %s = sext <2 x i8> %a to <2 x i64>
  %m = mul nsw <2 x i64> %s, splat (i64 13)
  %h = lshr <2 x i64> %m, splat (i64 32)
  %t = trunc <2 x i64> %h to <2 x i16>
  ret <2 x i16> %t
}

; CHECK-LABEL: define <4 x i16> @by_16
; CHECK: trunc <4 x i64>
define <4 x i16> @by_16(<4 x i16> %a, <4 x i16> %b) {
  %s = sext <4 x i16> %a to <4 x i64>
  %u = sext <4 x i16> %b to <4 x i64>
  %m = mul nsw <4 x i64> %s, %u
  %h = lshr <4 x i64> %m, splat (i64 16)
  %t = trunc <4 x i64> %h to <4 x i16>
  ret <4 x i16> %t
}

; CHECK-LABEL: define <4 x i16> @large
; CHECK: trunc <4 x i64>
define <4 x i16> @large(<4 x i64> %a, <4 x i64> %b) {
  %m = mul <4 x i64> %a, %b
  %h = lshr <4 x i64> %m, splat (i64 20)
  %t = trunc <4 x i64> %h to <4 x i16>
  ret <4 x i16> %t
}
