; Conversions of integers that are not negative are signed; others stay as they are.
; RUN: %clarity opt --passes='signed-conversions' %s -o - | FileCheck %s

; CHECK-LABEL: define <8 x float> @known
; CHECK: sitofp <8 x i32> %a to <8 x float>
define <8 x float> @known(<8 x i32> %a) {
  %f = uitofp nneg <8 x i32> %a to <8 x float>
  ret <8 x float> %f
}

; CHECK-LABEL: define double @scalar
; CHECK: sitofp i64 %a to double
define double @scalar(i64 %a) {
  %f = uitofp nneg i64 %a to double
  ret double %f
}

; CHECK-LABEL: define <8 x float> @unknown
; CHECK: uitofp <8 x i32> %a to <8 x float>
define <8 x float> @unknown(<8 x i32> %a) {
  %f = uitofp <8 x i32> %a to <8 x float>
  ret <8 x float> %f
}
