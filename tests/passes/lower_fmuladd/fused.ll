; Where the processor fuses, llvm.fmuladd is fused everywhere; elsewhere nowhere. Divisions of half keep their rounding.
; RUN: %clarity opt --processor x86-64-v3 --passes=lower-fmuladd %s -o - | FileCheck %s --check-prefixes=CHECK,FMA
; RUN: %clarity opt --processor x86-64-v2 --passes=lower-fmuladd %s -o - | FileCheck %s --check-prefixes=CHECK,APART

; CHECK-LABEL: @product(
; FMA: call nsz <4 x float> @llvm.fma.v4f32(<4 x float> %a, <4 x float> %b, <4 x float> %c)
; APART: [[P:%.*]] = fmul nsz <4 x float> %a, %b
; APART: fadd nsz <4 x float> [[P]], %c
define <4 x float> @product(<4 x float> %a, <4 x float> %b, <4 x float> %c) {
  %r = call nsz <4 x float> @llvm.fmuladd.v4f32(<4 x float> %a, <4 x float> %b, <4 x float> %c)
  ret <4 x float> %r
}

; Half is fused only by processors that compute with it.
; CHECK-LABEL: @half_product(
; CHECK: [[P:%.*]] = fmul half %a, %b
; CHECK: fadd half [[P]], %c
define half @half_product(half %a, half %b, half %c) {
  %r = call half @llvm.fmuladd.f16(half %a, half %b, half %c)
  ret half %r
}

; CHECK-LABEL: @quotients(
; FMA: fdiv arcp float
; APART: fdiv float
; CHECK: fdiv half
define half @quotients(float %a, float %b, half %c, half %d, ptr %to) {
  %q = fdiv arcp float %a, %b
  store float %q, ptr %to
  %r = fdiv arcp half %c, %d
  ret half %r
}

; Divisions that may be off by 2.5 ulp say so by a flag; those by 1 ulp, and of double, do not.
; CHECK-LABEL: @open_quotients(
; CHECK: fdiv afn float %a, %b, !fpmath
; CHECK: fdiv float %b, %a, !fpmath
; CHECK: fdiv float %a, %a
; CHECK: fdiv nnan float %b, %b
; CHECK: fdiv double
define double @open_quotients(float %a, float %b, double %c, double %d, ptr %to) {
  %q = fdiv float %a, %b, !fpmath !0
  store volatile float %q, ptr %to
  %r = fdiv float %b, %a, !fpmath !1
  store volatile float %r, ptr %to
  %s = fdiv float %a, %a
  store volatile float %s, ptr %to
  %u = fdiv nnan afn float %b, %b
  store volatile float %u, ptr %to
  %t = fdiv double %c, %d
  ret double %t
}
!0 = !{float 2.5}
!1 = !{float 1.0}
