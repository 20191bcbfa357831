; Divisions whose last bits are open take the GPU's quick form, and reciprocal square roots theirs.
; RUN: %clarity opt --processor sm_90 --passes=open-divisions,adce %s -o - | FileCheck %s
declare float @llvm.sqrt.f32(float)
declare <2 x float> @llvm.sqrt.v2f32(<2 x float>)
declare double @llvm.sqrt.f64(double)

; CHECK-LABEL: define float @open
; CHECK-NEXT: %[[Q:.*]] = call float @llvm.nvvm.div.full(float %a, float %b)
; CHECK-NEXT: ret float %[[Q]]
define float @open(float %a, float %b) {
  %q = fdiv float %a, %b, !fpmath !0
  ret float %q
}

; The flag says the same where the metadata has gone.
; CHECK-LABEL: define float @flagged
; CHECK-NEXT: %[[Q:.*]] = call float @llvm.nvvm.div.full(float %a, float %b)
; CHECK-NEXT: ret float %[[Q]]
define float @flagged(float %a, float %b) {
  %q = fdiv afn float %a, %b
  ret float %q
}

; Lane by lane: there is no form for vectors.
; CHECK-LABEL: define <2 x float> @vector
; CHECK-COUNT-2: call float @llvm.nvvm.div.full
; CHECK-NOT: fdiv
; CHECK: ret <2 x float>
define <2 x float> @vector(<2 x float> %a, <2 x float> %b) {
  %q = fdiv <2 x float> %a, %b, !fpmath !0
  ret <2 x float> %q
}

; Both operations of a reciprocal square root become one, with the mark and, as in rsqrt() of the library, without.
; CHECK-LABEL: define float @reciprocals
; CHECK: call float @llvm.nvvm.rsqrt.approx.f(float %x)
; CHECK: call float @llvm.nvvm.rsqrt.approx.f(float %y)
; CHECK-NOT: {{sqrt.f32|div}}
; CHECK: ret float
define float @reciprocals(float %x, float %y) {
  %r = call float @llvm.sqrt.f32(float %x)
  %a = fdiv float 1.0, %r, !fpmath !0
  %s = call float @llvm.sqrt.f32(float %y)
  %b = fdiv float 1.0, %s
  %sum = fadd float %a, %b
  ret float %sum
}

; CHECK-LABEL: define <2 x float> @roots
; CHECK-COUNT-2: call float @llvm.nvvm.sqrt.approx.f
; CHECK-NOT: llvm.sqrt
; CHECK: ret <2 x float>
define <2 x float> @roots(<2 x float> %x) {
  %r = call <2 x float> @llvm.sqrt.v2f32(<2 x float> %x)
  ret <2 x float> %r
}

; Without a mark the quotient is the nearest float; with that of 1 ulp it is more exact than the quick form.
; CHECK-LABEL: define float @exact
; CHECK: fdiv float %a, %b
; CHECK: fdiv float %b, %a, !fpmath
; CHECK-NOT: div.full
; CHECK: ret float
define float @exact(float %a, float %b) {
  %q = fdiv float %a, %b
  %r = fdiv float %b, %a, !fpmath !1
  %s = fadd float %q, %r
  ret float %s
}

; A root that is divided by something else than 1 is no reciprocal, and a division of it without a mark is exact.
; CHECK-LABEL: define float @quotient
; CHECK: call float @llvm.nvvm.sqrt.approx.f(float %x)
; CHECK: fdiv float 2.000000e+00,
; CHECK-NOT: rsqrt
; CHECK: ret float
define float @quotient(float %x) {
  %r = call float @llvm.sqrt.f32(float %x)
  %q = fdiv float 2.0, %r
  ret float %q
}

; There are no quick forms of double.
; CHECK-LABEL: define double @doubles
; CHECK: call double @llvm.sqrt.f64(double %x)
; CHECK: fdiv double 1.000000e+00, %r
define double @doubles(double %x) {
  %r = call double @llvm.sqrt.f64(double %x)
  %q = fdiv double 1.0, %r
  ret double %q
}

!0 = !{float 2.5}
!1 = !{float 1.0}
