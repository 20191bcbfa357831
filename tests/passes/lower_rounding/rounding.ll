; Rounding to integral values by additions that nothing may reorder, in vectors and alone; what is not finite or has no fraction stays.
; RUN: %clarity opt --passes='lower-rounding' %s -o - | FileCheck %s --implicit-check-not='{{= call .*@llvm.(nearbyint|floor|ceil|trunc|round)[.](v4f32|f64|f32)}}'

; CHECK-LABEL: define <4 x float> @rint
; CHECK-NOT: @llvm.rint
; CHECK: %[[MAGNITUDE:.*]] = call <4 x float> @llvm.fabs.v4f32(<4 x float> %x)
; CHECK: %[[SUM:.*]] = fadd <4 x float> %[[MAGNITUDE]], splat (float 0x4160000000000000)
; CHECK: %[[NEAREST:.*]] = fsub <4 x float> %[[SUM]], splat (float 0x4160000000000000)
; CHECK: %[[SIGNED:.*]] = call <4 x float> @llvm.copysign.v4f32(<4 x float> %[[NEAREST]], <4 x float> %x)
; CHECK: %[[FRACTION:.*]] = fcmp olt <4 x float> %[[MAGNITUDE]], splat (float 0x4160000000000000)
; CHECK: select <4 x i1> %[[FRACTION]], <4 x float> %[[SIGNED]], <4 x float> %x
define <4 x float> @rint(<4 x float> %x) {
  %y = call fast <4 x float> @llvm.rint.v4f32(<4 x float> %x)
  ret <4 x float> %y
}

; Down where the nearest value lies above, with the sign of what was rounded to zero.
; CHECK-LABEL: define double @floor
; CHECK: fadd double {{.*}}, 0x4330000000000000
; CHECK: %[[NEAR:.*]] = call double @llvm.copysign.f64(double
; CHECK: %[[ABOVE:.*]] = fcmp ogt double %[[NEAR]], %x
; CHECK: %[[ONE:.*]] = select i1 %[[ABOVE]], double 1.000000e+00, double 0.000000e+00
; CHECK: %[[DOWN:.*]] = fsub double %[[NEAR]], %[[ONE]]
; CHECK: call double @llvm.copysign.f64(double %[[DOWN]], double %x)
define double @floor(double %x) {
  %y = call double @llvm.floor.f64(double %x)
  ret double %y
}

; CHECK-LABEL: define float @ceil
; CHECK: %[[BELOW:.*]] = fcmp olt float %{{.*}}, %x
; CHECK: fadd float
define float @ceil(float %x) {
  %y = call float @llvm.ceil.f32(float %x)
  ret float %y
}

; Halves go away from zero: they are seen in what truncation leaves.
; CHECK-LABEL: define float @round
; CHECK: fcmp ogt float
; CHECK: %[[BELOW:.*]] = fsub float
; CHECK: %[[REST:.*]] = fsub float %{{.*}}, %[[BELOW]]
; CHECK: fcmp oge float %[[REST]], 5.000000e-01
define float @round(float %x) {
  %y = call float @llvm.round.f32(float %x)
  ret float %y
}

; CHECK-LABEL: define float @trunc
; CHECK: fcmp ogt float
; CHECK: fsub float
define float @trunc(float %x) {
  %y = call float @llvm.trunc.f32(float %x)
  ret float %y
}

; Half is rounded as float (lower-half comes first).
; CHECK-LABEL: define half @half
; CHECK: call half @llvm.floor.f16
define half @half(half %x) {
  %y = call half @llvm.floor.f16(half %x)
  ret half %y
}

; What is made an int is rounded on the way: an instruction does both.
; CHECK-LABEL: define <4 x i32> @int
; CHECK: call <4 x float> @llvm.rint.v4f32
; CHECK-NEXT: fptosi
define <4 x i32> @int(<4 x float> %x) {
  %y = call <4 x float> @llvm.rint.v4f32(<4 x float> %x)
  %i = fptosi <4 x float> %y to <4 x i32>
  ret <4 x i32> %i
}
