; RUN: %clarity opt --passes=lower-saturating-conversions %s -o - | FileCheck %s
declare i8 @llvm.fptoui.sat.i8.f32(float)
declare <4 x i16> @llvm.fptosi.sat.v4i16.v4f32(<4 x float>)
declare i32 @llvm.fptosi.sat.i32.f32(float)

; CHECK-LABEL: define i8 @unsigned
; CHECK: fcmp ogt float %x, 0.0
; CHECK: fcmp olt float {{.*}}, 2.550000e+02
; CHECK: fptosi float {{.*}} to i32
; CHECK: trunc i32 {{.*}} to i8
; CHECK-NOT: call
define i8 @unsigned(float %x) {
  %u = call i8 @llvm.fptoui.sat.i8.f32(float %x)
  ret i8 %u
}

; CHECK-LABEL: define <4 x i16> @signed
; CHECK: fcmp ogt <4 x float> %x, splat (float -3.276800e+04)
; CHECK: fcmp olt <4 x float> {{.*}}, splat (float 3.276700e+04)
; CHECK: %[[NAN:.*]] = fcmp uno <4 x float> %x, %x
; CHECK: select <4 x i1> %[[NAN]], <4 x i16> zeroinitializer
define <4 x i16> @signed(<4 x float> %x) {
  %s = call <4 x i16> @llvm.fptosi.sat.v4i16.v4f32(<4 x float> %x)
  ret <4 x i16> %s
}

; 2^31 - 1 is no float.
; CHECK-LABEL: define i32 @wide
; CHECK: call i32 @llvm.fptosi.sat.i32.f32
define i32 @wide(float %x) {
  %s = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  ret i32 %s
}
