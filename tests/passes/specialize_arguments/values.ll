; RUN: %clarity opt --passes='specialize-arguments<0=3E8;1=FFFFFFFFFFFFFFFE;2=3F000000;3=7;9=1>' %s -o - | FileCheck %s

; Integers and floating-point numbers become constants; pointers stay, whatever the shape says.
; CHECK-LABEL: define void @k(i32 %n, i64 %step, float %scale, ptr addrspace(1) %to)
; CHECK:         [[WIDE:%.*]] = zext i32 1000 to i64
; CHECK:         mul i64 [[WIDE]], -2
; CHECK:         fadd float 5.000000e-01, 1.000000e+00
; CHECK:         getelementptr i8, ptr addrspace(1) %to
define void @k(i32 %n, i64 %step, float %scale, ptr addrspace(1) %to) {
  %wide = zext i32 %n to i64
  %offset = mul i64 %wide, %step
  %value = fadd float %scale, 1.0
  %place = getelementptr i8, ptr addrspace(1) %to, i64 %offset
  store float %value, ptr addrspace(1) %place
  ret void
}
