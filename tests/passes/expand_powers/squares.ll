; SPDX-License-Identifier: Apache-2.0
; Squares become products; other exponents, and functions that the program defines, stay.
; RUN: %clarity opt --passes=expand-powers %s -o - | FileCheck %s

; CHECK-LABEL: @squares(
; CHECK: fmul float %x, %x
; CHECK: fmul <2 x double> %d, %d
; CHECK: fmul half %h, %h
; CHECK: ret float
define float @squares(float %x, <2 x double> %d, half %h) {
  %a = call spir_func float @_Z3powff(float %x, float 2.0)
  %b = call spir_func <2 x double> @_Z3powDv2_dS_(<2 x double> %d, <2 x double> <double 2.0, double 2.0>)
  %c = call spir_func half @_Z4pownDhi(half %h, i32 2)
  ret float %a
}

; CHECK-LABEL: @itself(
; CHECK-NEXT: ret float %x
define float @itself(float %x) {
  %a = call spir_func float @_Z3powff(float %x, float 1.0)
  ret float %a
}

; CHECK-LABEL: @others(
; CHECK: call spir_func float @_Z3powff(float %x, float 3.000000e+00)
; CHECK: call spir_func float @_Z3powff(float 2.000000e+00, float %x)
; CHECK: call spir_func <2 x float> @_Z3powDv2_fS_(<2 x float> %v, <2 x float> <float 2.000000e+00, float 1.000000e+00>)
; CHECK: call spir_func float @_Z4powrff(float %x, float 2.000000e+00)
; CHECK: call spir_func float @_Z4pownfi(float %x, i32 2)
define void @others(float %x, <2 x float> %v) {
  %a = call spir_func float @_Z3powff(float %x, float 3.0)
  %b = call spir_func float @_Z3powff(float 2.0, float %x)
  %c = call spir_func <2 x float> @_Z3powDv2_fS_(<2 x float> %v, <2 x float> <float 2.0, float 1.0>)
  %d = call spir_func float @_Z4powrff(float %x, float 2.0)
  %e = call spir_func float @_Z4pownfi(float %x, i32 2)
  ret void
}

declare float @_Z3powff(float, float)
declare float @_Z4powrff(float, float)
declare <2 x float> @_Z3powDv2_fS_(<2 x float>, <2 x float>)
declare <2 x double> @_Z3powDv2_dS_(<2 x double>, <2 x double>)
declare half @_Z4pownDhi(half, i32)
define float @_Z4pownfi(float %x, i32 %n) {
  ret float 0.0
}
