; Without conversions between half and float, these are made of integers, in vectors.
; RUN: %clarity opt --processor x86-64 --passes=lower-half %s -o - | FileCheck %s --implicit-check-not='fpext <' --implicit-check-not='fptrunc <'

; CHECK-LABEL: define <4 x float> @widened
; CHECK: bitcast <4 x half> %x to <4 x i16>
; CHECK: %[[M:.*]] = and <4 x i32> {{.*}}, splat (i32 32767)
; CHECK: shl <4 x i32> %[[M]], splat (i32 13)
; CHECK: sitofp <4 x i32> %[[M]] to <4 x float>
; CHECK: bitcast <4 x i32> {{.*}} to <4 x float>
define <4 x float> @widened(<4 x half> %x) {
  %f = fpext <4 x half> %x to <4 x float>
  ret <4 x float> %f
}

; CHECK-LABEL: define <4 x half> @narrowed
; CHECK: fadd <4 x float> {{.*}}, splat (float 5.000000e-01)
; CHECK: trunc <4 x i32> {{.*}} to <4 x i16>
; CHECK: bitcast <4 x i16> {{.*}} to <4 x half>
define <4 x half> @narrowed(<4 x float> %x) {
  %h = fptrunc <4 x float> %x to <4 x half>
  ret <4 x half> %h
}

; A result that is computed with again stays a float, rounded: of three values one becomes a half.
; CHECK-LABEL: define <4 x half> @rounded
; CHECK-COUNT-1: to <4 x half>
; CHECK-NOT: to <4 x half>
; CHECK: ret
define <4 x half> @rounded(<4 x half> %x) {
  %a = fadd <4 x half> %x, %x
  %b = fmul <4 x half> %a, %x
  %c = fsub <4 x half> %b, %a
  ret <4 x half> %c
}

; Signs are bits, in whole vectors.
; CHECK-LABEL: define <4 x half> @signs
; CHECK: and <4 x i16> {{.*}}, splat (i16 32767)
; CHECK: xor <4 x i16> {{.*}}, splat (i16 -32768)
; CHECK: %[[NUMBER:.*]] = and <4 x i16> {{.*}}, splat (i16 32767)
; CHECK: %[[SIGN:.*]] = and <4 x i16> {{.*}}, splat (i16 -32768)
; CHECK: or <4 x i16> %[[NUMBER]], %[[SIGN]]
; CHECK-NOT: @llvm
; CHECK: ret
define <4 x half> @signs(<4 x half> %x, <4 x half> %y) {
  %a = call <4 x half> @llvm.fabs.v4f16(<4 x half> %x)
  %b = fneg <4 x half> %a
  %c = call <4 x half> @llvm.copysign.v4f16(<4 x half> %b, <4 x half> %y)
  ret <4 x half> %c
}
