; Comparisons of floats that bounds decide become constants: numbers of few bits are small, and so are sums and products
; of them.
; RUN: %clarity opt --processor sm_90 --passes=fold-compares %s -o - | FileCheck %s
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.fabs.f32(float)

; 24 bits times 2^-22 are below 4.
; CHECK-LABEL: define i1 @angle
; CHECK: ret i1 false
define i1 @angle(i32 %bits) {
  %n = lshr i32 %bits, 8
  %f = uitofp i32 %n to float
  %x = fmul float %f, 0x3E90000000000000
  %large = fcmp ogt float %x, 65536.0
  ret i1 %large
}

; Signed, through a sum, an absolute value and a choice; no NaN.
; CHECK-LABEL: define <2 x i1> @signed
; CHECK: insertelement <2 x i1> poison, i1 true, i32 0
; CHECK: insertelement <2 x i1> %{{.*}}, i1 false, i32 1
define <2 x i1> @signed(i16 %a, i16 %b, i1 %c) {
  %f = sitofp i16 %a to float
  %g = sitofp i16 %b to float
  %size = call float @llvm.fabs.f32(float %g)
  %sum = call float @llvm.fma.f32(float %f, float 0.25, float %size)
  %one = select i1 %c, float %sum, float 3.0
  %small = fcmp olt float %one, 50000.0
  %strange = fcmp uno float %one, %sum
  %i = insertelement <2 x i1> poison, i1 %small, i32 0
  %j = insertelement <2 x i1> %i, i1 %strange, i32 1
  ret <2 x i1> %j
}

; The bounds leave it open: 8192 is among what 16 bits times 0.25 can be.
; CHECK-LABEL: define i1 @open
; CHECK: %large = fcmp ogt float %x, 8.192000e+03
; CHECK: ret i1 %large
define i1 @open(i16 %a) {
  %f = uitofp i16 %a to float
  %x = fmul float %f, 0.25
  %large = fcmp ogt float %x, 8192.0
  ret i1 %large
}

; So close to the bound that rounding may cross it.
; CHECK-LABEL: define i1 @rounded
; CHECK: %above = fcmp ogt float %x, 2.550000e+02
; CHECK: ret i1 %above
define i1 @rounded(i8 %a) {
  %f = uitofp i8 %a to float
  %x = fmul float %f, 1.0
  %above = fcmp ogt float %x, 255.0
  ret i1 %above
}

; What comes from memory may be infinite or no number, and a sum of very large numbers, too.
; CHECK-LABEL: define i1 @memory
; CHECK: %large = fcmp ult float %x, 0x7FF0000000000000
; CHECK: %infinite = fcmp olt float %product, 0x7FF0000000000000
; CHECK: %both = and i1 %large, %infinite
define i1 @memory(float %v, i32 %n) {
  %x = fmul float %v, 0.5
  %large = fcmp ult float %x, 0x7FF0000000000000
  %f = uitofp i32 %n to float
  %square = fmul float %f, %f
  %product = fmul float %square, %square
  %infinite = fcmp olt float %product, 0x7FF0000000000000
  %both = and i1 %large, %infinite
  ret i1 %both
}

; The quotient has no bounds that are followed: the divisor may be 0.
; CHECK-LABEL: define i1 @quotient
; CHECK: %small = fcmp olt float %x, 3.000000e+02
define i1 @quotient(i8 %a, i8 %b) {
  %f = uitofp i8 %a to float
  %g = uitofp i8 %b to float
  %x = fdiv float %f, %g
  %small = fcmp olt float %x, 300.0
  ret i1 %small
}

; Its divisor is a constant, or at least 1.
; CHECK-LABEL: define i1 @percent
; CHECK: ret i1 true
declare float @llvm.nvvm.div.full(float, float)
define i1 @percent(i8 %a, i8 %b) {
  %f = uitofp i8 %a to float
  %g = uitofp i8 %b to float
  %least = fadd float %g, 1.0
  %x = fdiv float %f, %least
  %y = call float @llvm.nvvm.div.full(float %x, float 100.0)
  %small = fcmp olt float %y, 3.0
  ret i1 %small
}

; Double, and what is rounded to float.
; CHECK-LABEL: define i1 @double
; CHECK: or i1 false, false
define i1 @double(i32 %bits) {
  %f = uitofp i32 %bits to double
  %x = fmul double %f, 0x3E2921FB54442D18
  %rounded = fptrunc double %x to float
  %again = fpext float %rounded to double
  %large = fcmp ogt double %again, 65536.0
  %infinite = fcmp oeq double %x, 0x7FF0000000000000
  %either = or i1 %large, %infinite
  ret i1 %either
}

; Numbers made of bits: from 2 to 4. With the sign or the whole exponent left open, they may be anything.
; CHECK-LABEL: define i1 @bits
; CHECK: ret i1 true
define i1 @bits(i32 %random) {
  %fraction = and i32 %random, 8388607
  %bits = or i32 %fraction, 1073741824
  %x = bitcast i32 %bits to float
  %from0 = fsub float %x, 2.0
  %small = fcmp olt float %from0, 2.5
  ret i1 %small
}
; CHECK-LABEL: define i1 @any_bits
; CHECK: ret i1 %small
define i1 @any_bits(i32 %random) {
  %bits = and i32 %random, 2147483647
  %x = bitcast i32 %bits to float
  %small = fcmp uge float %x, 0.0
  ret i1 %small
}

; Vectors: the bounds of all elements.
; CHECK-LABEL: define <2 x i1> @vector
; CHECK: ret <2 x i1> splat (i1 true)
define <2 x i1> @vector(<2 x i16> %numbers, float %unknown) {
  %f = uitofp <2 x i16> %numbers to <2 x float>
  %x = fmul <2 x float> %f, <float 2.0, float 0.5>
  %one = extractelement <2 x float> %x, i32 1
  %low = insertelement <2 x float> poison, float %one, i32 0
  %both = insertelement <2 x float> %low, float 3.0, i32 1
  %small = fcmp olt <2 x float> %both, splat (float 132000.0)
  ret <2 x i1> %small
}
; CHECK-LABEL: define <2 x i1> @vector_of_unknown
; CHECK: ret <2 x i1> %small
define <2 x i1> @vector_of_unknown(<2 x i16> %numbers, float %unknown) {
  %f = uitofp <2 x i16> %numbers to <2 x float>
  %x = insertelement <2 x float> %f, float %unknown, i32 0
  %small = fcmp olt <2 x float> %x, splat (float 132000.0)
  ret <2 x i1> %small
}

; Freezing keeps bounds of what is never poison. A frozen poison may be any number, a NaN, too: what flags exclude.
; CHECK-LABEL: define i1 @frozen
; CHECK: ret i1 false
define i1 @frozen(i32 noundef %bits) {
  %n = lshr i32 %bits, 8
  %f = uitofp i32 %n to float
  %same = freeze float %f
  %large = fcmp ogt float %same, 0x4180000000000000
  ret i1 %large
}
; CHECK-LABEL: define i1 @frozen_poison
; CHECK: ret i1 %large
define i1 @frozen_poison(i32 noundef %bits) {
  %n = lshr exact i32 %bits, 8
  %f = uitofp i32 %n to float
  %any = freeze float %f
  %large = fcmp ogt float %any, 0x4180000000000000
  ret i1 %large
}
; CHECK-LABEL: define i1 @frozen_argument
; CHECK: ret i1 %large
define i1 @frozen_argument(i32 %bits) {
  %n = lshr i32 %bits, 8
  %f = uitofp i32 %n to float
  %any = freeze float %f
  %large = fcmp ogt float %any, 0x4180000000000000
  ret i1 %large
}
