; RUN: %clarity opt --passes=lower-saturating-conversions %s -o - | FileCheck %s
declare i8 @llvm.fptoui.sat.i8.f32(float)
declare <4 x i16> @llvm.fptosi.sat.v4i16.v4f32(<4 x float>)
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare <2 x i64> @llvm.fptoui.sat.v2i64.v2f64(<2 x double>)

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

; 2^31 - 1 is no float: 2^31 - 128 is the largest below.
; CHECK-LABEL: define i32 @wide
; CHECK: fcmp ogt float %x, 0xC1E0000000000000
; CHECK: fcmp olt float {{.*}}, 0x41DFFFFFE0000000
; CHECK: %[[IN:.*]] = fptosi float {{.*}} to i32
; CHECK: %[[ABOVE:.*]] = fcmp oge float %x, 0x41E0000000000000
; CHECK: %[[CAPPED:.*]] = select i1 %[[ABOVE]], i32 2147483647, i32 %[[IN]]
; CHECK: %[[NAN:.*]] = fcmp uno float %x, %x
; CHECK: select i1 %[[NAN]], i32 0, i32 %[[CAPPED]]
; CHECK-NOT: call
define i32 @wide(float %x) {
  %s = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  ret i32 %s
}

; but a double.
; CHECK-LABEL: define i32 @exact
; CHECK: fcmp olt double {{.*}}, 0x41DFFFFFFFC00000
; CHECK-NOT: fcmp oge
; CHECK: select i1 {{.*}}, i32 0
define i32 @exact(double %x) {
  %s = call i32 @llvm.fptosi.sat.i32.f64(double %x)
  ret i32 %s
}

; CHECK-LABEL: define <2 x i64> @longest
; CHECK: fcmp olt <2 x double> {{.*}}, splat (double 0x43EFFFFFFFFFFFFF)
; CHECK: fptoui <2 x double> {{.*}} to <2 x i64>
; CHECK: fcmp oge <2 x double> %x, splat (double 0x43F0000000000000)
; CHECK: select <2 x i1> {{.*}}, <2 x i64> splat (i64 -1)
; CHECK-NOT: fcmp uno
define <2 x i64> @longest(<2 x double> %x) {
  %u = call <2 x i64> @llvm.fptoui.sat.v2i64.v2f64(<2 x double> %x)
  ret <2 x i64> %u
}
