; The reciprocals of roots that may be inexact are those of 0 and infinity all the same.
; RUN: %clarity opt --passes=reciprocal-roots %s -o - | FileCheck %s
declare <8 x float> @llvm.sqrt.v8f32(<8 x float>)
declare float @llvm.sqrt.f32(float)

; CHECK-LABEL: define <8 x float> @reciprocal
; CHECK: %[[ROOT:.*]] = call fast <8 x float> @llvm.sqrt.v8f32(<8 x float> %x)
; CHECK: %[[ESTIMATE:.*]] = fdiv {{.*}}arcp{{.*}} <8 x float> splat (float 1.000000e+00), %[[ROOT]]
; CHECK: %[[SPECIAL:.*]] = or <8 x i1>
; CHECK: %[[RESULT:.*]] = select <8 x i1> %[[SPECIAL]], <8 x float> %{{.*}}, <8 x float> %[[ESTIMATE]]
; CHECK: ret <8 x float> %[[RESULT]]
define <8 x float> @reciprocal(<8 x float> %x) {
  %root = call fast <8 x float> @llvm.sqrt.v8f32(<8 x float> %x)
  %y = fdiv fast <8 x float> splat (float 1.0), %root
  ret <8 x float> %y
}

; CHECK-LABEL: define float @quotient
; CHECK: %[[GUARDED:.*]] = select i1
; CHECK: %[[RESULT:.*]] = fmul float %a, %[[GUARDED]]
; CHECK: ret float %[[RESULT]]
define float @quotient(float %a, float %x) {
  %root = call fast float @llvm.sqrt.f32(float %x)
  %y = fdiv fast float %a, %root
  ret float %y
}

; CHECK-LABEL: define float @exact
; CHECK-NOT: select
; CHECK: ret float
define float @exact(float %x) {
  %root = call float @llvm.sqrt.f32(float %x)
  %y = fdiv float 1.0, %root
  ret float %y
}
