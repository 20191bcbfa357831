; SPDX-License-Identifier: Apache-2.0
; Mathematical intrinsics become functions of OpenCL; vectors of other lengths are split.
; RUN: %clarity opt --passes=lower-math-intrinsics %s -o - | FileCheck %s

; CHECK-LABEL: @scalars(
; CHECK: call spir_func float @_Z3sinf(float %x)
; CHECK: call spir_func double @_Z3powdd(double %d, double %d)
; CHECK: call spir_func half @_Z4exp2Dh(half %h)
; CHECK: call spir_func float @_Z4pownfi(float %x, i32 %i)
; CHECK: call spir_func double @_Z5ldexpdi(double %d, i32 %i)
define void @scalars(float %x, double %d, half %h, i32 %i) {
  %a = call float @llvm.sin.f32(float %x)
  %b = call double @llvm.pow.f64(double %d, double %d)
  %c = call half @llvm.exp2.f16(half %h)
  %e = call float @llvm.powi.f32.i32(float %x, i32 %i)
  %f = call double @llvm.ldexp.f64.i32(double %d, i32 %i)
  ret void
}

; CHECK-LABEL: @vectors(
; CHECK: call spir_func <4 x float> @_Z3powDv4_fS_(<4 x float> %x, <4 x float> %x)
; CHECK: call spir_func <4 x float> @_Z4pownDv4_fDv4_i(<4 x float> %x, <4 x i32>
; CHECK-COUNT-5: call spir_func float @_Z3cosf(
; CHECK-NOT: call spir_func float @_Z3cosf(
define <5 x float> @vectors(<4 x float> %x, <5 x float> %y, i32 %i) {
  %a = call <4 x float> @llvm.pow.v4f32(<4 x float> %x, <4 x float> %x)
  %b = call <4 x float> @llvm.powi.v4f32.i32(<4 x float> %x, i32 %i)
  %c = call <5 x float> @llvm.cos.v5f32(<5 x float> %y)
  ret <5 x float> %c
}

; CHECK-LABEL: @parts(
; CHECK: call spir_func i32 @_Z5ilogbd(double %d)
; CHECK: call spir_func double @_Z5ldexpdi(double %d, i32
; CHECK: call double @llvm.rint.f64(double %d)
; CHECK: fptosi double %{{.*}} to i64
define { double, i32 } @parts(double %d) {
  %a = call { double, i32 } @llvm.frexp.f64.i32(double %d)
  %b = call i64 @llvm.lrint.i64.f64(double %d)
  ret { double, i32 } %a
}

; What every processor has stays.
; CHECK-LABEL: @kept(
; CHECK: call float @llvm.sqrt.f32(float %x)
; CHECK: call float @llvm.fma.f32(float %x, float %x, float %x)
define float @kept(float %x) {
  %a = call float @llvm.sqrt.f32(float %x)
  %b = call float @llvm.fma.f32(float %x, float %x, float %x)
  ret float %b
}
