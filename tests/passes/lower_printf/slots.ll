; RUN: %clarity opt --passes=lower-printf %s -o - | FileCheck %s
@fmt = internal addrspace(2) constant [9 x i8] c"%d %v4f\0A\00"
declare i32 @printf(ptr addrspace(2), ...)

; CHECK-LABEL: define void @k
; CHECK: alloca [4 x i64]
; CHECK: %[[WIDE:.*]] = sext i32 %i to i64
; CHECK: store i64 %[[WIDE]]
; CHECK: store <4 x float> %v
; CHECK: store double %d
; CHECK: call i32 @__clarity_printf(ptr {{.*}}, ptr {{.*}}, ptr {{.*}}, i32 4)
; CHECK-NOT: @printf(
define void @k(i32 %i, <4 x float> %v, double %d) {
  %r = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @fmt, i32 %i, <4 x float> %v, double %d)
  ret void
}
