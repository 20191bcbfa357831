; The reciprocals of roots that may be inexact are those of 0 and infinity all the same.
; RUN: %clarity opt --processor x86-64-v3 --passes=reciprocal-roots %s -o - | FileCheck %s
; RUN: %clarity opt --processor x86-64-v4 --passes=reciprocal-roots %s -o - | FileCheck %s --check-prefix=AVX512
target triple = "x86_64-unknown-linux-gnu"
declare <8 x float> @llvm.sqrt.v8f32(<8 x float>)
declare float @llvm.sqrt.f32(float)

; AVX-512's estimate and a step of Newton's method, whose result is no number at 0 and infinity.
; AVX512-LABEL: define <8 x float> @reciprocal
; AVX512: %[[Y:.*]] = call <8 x float> @llvm.x86.avx512.rsqrt14.ps.256(<8 x float> %x
; AVX512: %[[REST:.*]] = call <8 x float> @llvm.fma.v8f32
; AVX512: %[[IS:.*]] = fcmp ord <8 x float> %[[REST]], %[[REST]]
; AVX512: %[[STEP:.*]] = call <8 x float> @llvm.fma.v8f32(<8 x float> %[[Y]], <8 x float> %[[REST]], <8 x float> %[[Y]])
; AVX512: %[[RESULT:.*]] = select <8 x i1> %[[IS]], <8 x float> %[[STEP]], <8 x float> %[[Y]]
; AVX512: ret <8 x float> %[[RESULT]]
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

; CHECK-LABEL: define float @product
; CHECK: %[[GUARDED:.*]] = select i1
; CHECK: %[[PART:.*]] = fdiv {{.*}}arcp{{.*}} float %[[GUARDED]], %b
; CHECK: %[[RESULT:.*]] = fmul float %a, %[[PART]]
; CHECK: ret float %[[RESULT]]
define float @product(float %a, float %b, float %x) {
  %root = call fast float @llvm.sqrt.f32(float %x)
  %both = fmul fast float %b, %root
  %y = fdiv fast float %a, %both
  ret float %y
}

; CHECK-LABEL: define float @cube
; CHECK: %[[GUARDED:.*]] = select i1
; CHECK: %[[SQUARE:.*]] = fmul float %[[GUARDED]], %[[GUARDED]]
; CHECK: %[[RESULT:.*]] = fmul float %[[SQUARE]], %[[GUARDED]]
; CHECK: ret float %[[RESULT]]
define float @cube(float %x) {
  %root = call fast float @llvm.sqrt.f32(float %x)
  %both = fmul fast float %root, %x
  %y = fdiv fast float 1.0, %both
  ret float %y
}

; CHECK-LABEL: define float @roots
; CHECK: %[[FIRST:.*]] = select i1
; CHECK: %[[SECOND:.*]] = select i1
; CHECK-NOT: fdiv
; CHECK: %[[RESULT:.*]] = fmul float %[[FIRST]], %[[SECOND]]
; CHECK: ret float %[[RESULT]]
define float @roots(float %x, float %z) {
  %root = call fast float @llvm.sqrt.f32(float %x)
  %other = call fast float @llvm.sqrt.f32(float %z)
  %both = fmul fast float %root, %other
  %y = fdiv fast float 1.0, %both
  ret float %y
}

; CHECK-LABEL: define double @extended
; CHECK: %[[GUARDED:.*]] = select i1
; CHECK: %[[WIDE:.*]] = fpext float %[[GUARDED]] to double
; CHECK: %[[RESULT:.*]] = fmul double %a, %[[WIDE]]
; CHECK: ret double %[[RESULT]]
define double @extended(double %a, float %x) {
  %root = call fast float @llvm.sqrt.f32(float %x)
  %wide = fpext fast float %root to double
  %y = fdiv fast double %a, %wide
  ret double %y
}

; rsqrt() of the builtin library: the division may have no other order of operations. Without the estimate, it is exact:
; lower-fmuladd has marked it as one that may be off by 2 ulp.
; AVX512-LABEL: define <3 x float> @library
; AVX512: call <4 x float> @llvm.x86.avx512.rsqrt14.ps.128
; AVX512: ret <3 x float>
; CHECK-LABEL: define <3 x float> @library
; CHECK: %[[RESULT:.*]] = fdiv afn <3 x float> splat (float 1.000000e+00), %
; CHECK-NEXT: ret <3 x float> %[[RESULT]]
define <3 x float> @library(<3 x float> %x) {
  %root = call <3 x float> @llvm.sqrt.v3f32(<3 x float> %x)
  %y = fdiv arcp afn <3 x float> splat (float 1.0), %root
  ret <3 x float> %y
}
declare <3 x float> @llvm.sqrt.v3f32(<3 x float>)

; One float goes through a register as well; a double has no such estimate.
; AVX512-LABEL: define float @one
; AVX512: call <4 x float> @llvm.x86.avx512.rsqrt14.ps.128
; AVX512: extractelement
define float @one(float %x) {
  %root = call float @llvm.sqrt.f32(float %x)
  %y = fdiv arcp float 1.0, %root
  ret float %y
}

; AVX512-LABEL: define double @double
; AVX512-NOT: rsqrt14
; AVX512: ret double
define double @double(double %x) {
  %root = call double @llvm.sqrt.f64(double %x)
  %y = fdiv arcp double 1.0, %root
  ret double %y
}
declare double @llvm.sqrt.f64(double)

; More than the widest register: part by part, so that the bits do not depend on the width.
; AVX512-LABEL: define <32 x float> @wide
; AVX512-COUNT-2: call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512
; AVX512: shufflevector <16 x float> %{{.*}}, <16 x float> %{{.*}}, <32 x i32>
; AVX512-NOT: fdiv
; AVX512: ret <32 x float>
define <32 x float> @wide(<32 x float> %x) {
  %root = call fast <32 x float> @llvm.sqrt.v32f32(<32 x float> %x)
  %result = fdiv fast <32 x float> splat (float 1.0), %root
  ret <32 x float> %result
}
declare <32 x float> @llvm.sqrt.v32f32(<32 x float>)
