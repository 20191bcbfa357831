; Functions that stand for an instruction of AVX-512: in whole registers, for one number, for elements of one vector.
; RUN: %clarity opt --verify-each --processor x86-64-v4 --passes='lower-processor-functions' %s -o - | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

declare float @__clarity_processor_exponent_f32(float) #0
declare <16 x float> @__clarity_processor_exponent_f32_v16(<16 x float>) #0
declare <32 x float> @__clarity_processor_exponent_f32_v32(<32 x float>) #0
declare <8 x float> @__clarity_processor_significand_f32_v8(<8 x float>) #0
declare double @__clarity_processor_scale_f64(double, double) #0
declare float @__clarity_processor_choose_f32(float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float) #0
declare <3 x float> @__clarity_processor_choose_f32_v3(<3 x float>, <3 x float>, <3 x float>, <3 x float>, <3 x float>, <3 x float>, <3 x float>, <3 x float>, <3 x float>, <3 x float>, <3 x float>, <3 x float>, <3 x float>, <3 x float>, <3 x float>, <3 x float>, <3 x float>) #0
declare double @__clarity_processor_other_f64(double) #0

; CHECK-LABEL: define <16 x float> @whole
; CHECK: call <16 x float> @llvm.x86.avx512.mask.getexp.ps.512(<16 x float> %x, <16 x float> zeroinitializer, i16 -1, i32 4)
define <16 x float> @whole(<16 x float> %x) {
  %n = call <16 x float> @__clarity_processor_exponent_f32_v16(<16 x float> %x)
  ret <16 x float> %n
}

; CHECK-LABEL: define <8 x float> @balanced
; CHECK: call <8 x float> @llvm.x86.avx512.mask.getmant.ps.256(<8 x float> %x, i32 15, <8 x float> zeroinitializer, i8 -1)
define <8 x float> @balanced(<8 x float> %x) {
  %m = call <8 x float> @__clarity_processor_significand_f32_v8(<8 x float> %x)
  ret <8 x float> %m
}

; More than a register holds.
; CHECK-LABEL: define <32 x float> @two_registers
; CHECK: %[[A:.*]] = shufflevector <32 x float> %x, <32 x float> poison, <16 x i32> <i32 0,
; CHECK: %[[B:.*]] = shufflevector <32 x float> %x, <32 x float> poison, <16 x i32> <i32 16,
; CHECK: %[[FIRST:.*]] = call <16 x float> @llvm.x86.avx512.mask.getexp.ps.512(<16 x float> %[[A]],
; CHECK: %[[SECOND:.*]] = call <16 x float> @llvm.x86.avx512.mask.getexp.ps.512(<16 x float> %[[B]],
; CHECK: shufflevector <16 x float> %[[FIRST]], <16 x float> %[[SECOND]], <32 x i32>
define <32 x float> @two_registers(<32 x float> %x) {
  %n = call <32 x float> @__clarity_processor_exponent_f32_v32(<32 x float> %x)
  ret <32 x float> %n
}

; The same instruction for one number.
; CHECK-LABEL: define double @alone
; CHECK: %[[Y:.*]] = call <2 x double> @llvm.x86.avx512.mask.scalef.pd.128(<2 x double> %{{.*}}, <2 x double> %{{.*}}, <2 x double> zeroinitializer, i8 -1)
; CHECK: extractelement <2 x double> %[[Y]], i64 0
define double @alone(double %x, double %n) {
  %y = call double @__clarity_processor_scale_f64(double %x, double %n)
  ret double %y
}

; The elements of one vector together, and no other.
; CHECK-LABEL: define <2 x float> @elements
; CHECK: %[[ALL:.*]] = call <4 x float> @llvm.x86.avx512.mask.getexp.ps.128(
; CHECK: %[[PART:.*]] = shufflevector <4 x float> %[[ALL]], <4 x float> poison, <2 x i32> <i32 0, i32 1>
; CHECK: extractelement <2 x float> %[[PART]], i64 0
; CHECK-NOT: getexp
; CHECK: extractelement <2 x float> %[[PART]], i64 1
; CHECK-NOT: getexp
; CHECK: ret
define <2 x float> @elements(<2 x float> %x) {
  %a = extractelement <2 x float> %x, i64 0
  %b = extractelement <2 x float> %x, i64 1
  %p = call float @__clarity_processor_exponent_f32(float %a)
  %q = call float @__clarity_processor_exponent_f32(float %b)
  %y = insertelement <2 x float> poison, float %p, i64 0
  %z = insertelement <2 x float> %y, float %q, i64 1
  ret <2 x float> %z
}

; Elements of vectors that are not of one type come one by one.
; CHECK-LABEL: define double @of_two_types
; CHECK: %[[A:.*]] = extractelement <2 x double> %x, i64 1
; CHECK: %[[B:.*]] = extractelement <4 x double> %n, i64 1
; CHECK: insertelement <2 x double> poison, double %[[A]],
; CHECK: insertelement <2 x double> poison, double %[[B]],
; CHECK: call <2 x double> @llvm.x86.avx512.mask.scalef.pd.128(
define double @of_two_types(<2 x double> %x, <4 x double> %n) {
  %a = extractelement <2 x double> %x, i64 1
  %b = extractelement <4 x double> %n, i64 1
  %y = call double @__clarity_processor_scale_f64(double %a, double %b)
  ret double %y
}

; A table is in one register, for one number, too.
; CHECK-LABEL: define float @table
; CHECK: call <16 x float> @llvm.x86.avx512.permvar.sf.512(<16 x float> <float 0.000000e+00, float 1.000000e+00, {{.*}}, float 1.500000e+01>, <16 x i32> %
define float @table(float %i) {
  %y = call float @__clarity_processor_choose_f32(float %i, float 0.0, float 1.0, float 2.0, float 3.0, float 4.0, float 5.0, float 6.0, float 7.0, float 8.0, float 9.0, float 10.0, float 11.0, float 12.0, float 13.0, float 14.0, float 15.0)
  ret float %y
}

; Three elements of a vector come into the register by steps.
; CHECK-LABEL: define <3 x float> @table_of_three
; CHECK: shufflevector <3 x float> %i, <3 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 0>
; CHECK: call <16 x float> @llvm.x86.avx512.permvar.sf.512(
; CHECK: shufflevector <4 x float> %{{.*}}, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>
define <3 x float> @table_of_three(<3 x float> %i) {
  %y = call <3 x float> @__clarity_processor_choose_f32_v3(<3 x float> %i, <3 x float> splat (float 0.0), <3 x float> splat (float 1.0), <3 x float> splat (float 2.0), <3 x float> splat (float 3.0), <3 x float> splat (float 4.0), <3 x float> splat (float 5.0), <3 x float> splat (float 6.0), <3 x float> splat (float 7.0), <3 x float> splat (float 8.0), <3 x float> splat (float 9.0), <3 x float> splat (float 10.0), <3 x float> splat (float 11.0), <3 x float> splat (float 12.0), <3 x float> splat (float 13.0), <3 x float> splat (float 14.0), <3 x float> splat (float 15.0))
  ret <3 x float> %y
}

; CHECK-LABEL: define double @another
; CHECK: call double @__clarity_processor_other_f64
define double @another(double %x) {
  %y = call double @__clarity_processor_other_f64(double %x)
  ret double %y
}

attributes #0 = { nounwind willreturn memory(none) }
