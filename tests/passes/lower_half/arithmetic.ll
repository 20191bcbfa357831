; Half is computed in float and rounded after every operation; with arithmetic of half nothing is left to do.
; RUN: %clarity opt --processor x86-64-v3 --passes=lower-half %s -o - | FileCheck %s
; RUN: %clarity opt --processor sapphirerapids --passes=lower-half %s -o - | FileCheck %s --check-prefix=NATIVE

; CHECK-LABEL: define <8 x half> @sum
; CHECK: %[[X:.*]] = fpext <8 x half> %x to <8 x float>
; CHECK: %[[Y:.*]] = fpext <8 x half> %y to <8 x float>
; CHECK: %[[XY:.*]] = fmul <8 x float> %[[X]], %[[Y]]
; CHECK: %[[PRODUCT:.*]] = fptrunc <8 x float> %[[XY]] to <8 x half>
; CHECK: fpext <8 x half> %[[PRODUCT]] to <8 x float>
; CHECK: %[[SUM:.*]] = fadd <8 x float>
; CHECK: fptrunc <8 x float> %[[SUM]] to <8 x half>
; NATIVE-LABEL: define <8 x half> @sum
; NATIVE: fmul <8 x half>
; NATIVE-NEXT: fadd <8 x half>
define <8 x half> @sum(<8 x half> %x, <8 x half> %y, <8 x half> %z) {
  %product = fmul <8 x half> %x, %y
  %sum = fadd <8 x half> %product, %z
  ret <8 x half> %sum
}

; A comparison, a root, a minimum and integers.
; CHECK-LABEL: define i32 @others
; CHECK: fcmp olt float
; CHECK: call float @llvm.sqrt.f32
; CHECK: call float @llvm.minnum.f32
; CHECK: fptosi float {{.*}} to i32
; CHECK-NOT: fcmp olt half
; NATIVE-LABEL: define i32 @others
; NATIVE: fcmp olt half
; NATIVE: call half @llvm.sqrt.f16
define i32 @others(half %x, half %y) {
  %less = fcmp olt half %x, %y
  %root = call half @llvm.sqrt.f16(half %x)
  %least = call half @llvm.minnum.f16(half %root, half %y)
  %chosen = select i1 %less, half %least, half %x
  %whole = fptosi half %chosen to i32
  ret i32 %whole
}

; A fused multiply-add rounds once: what the sum in float leaves out makes it odd.
; CHECK-LABEL: define half @fused
; CHECK: %[[P:.*]] = fmul float
; CHECK: %[[S:.*]] = fadd float %[[P]],
; CHECK: %[[B:.*]] = fsub float %[[S]], %[[P]]
; CHECK: fcmp one float {{.*}}, 0.0
; CHECK: and i32 {{.*}}, 1
; CHECK: select i1
; CHECK: fptrunc float
; NATIVE-LABEL: define half @fused
; NATIVE: call half @llvm.fma.f16
define half @fused(half %x, half %y, half %z) {
  %r = call half @llvm.fma.f16(half %x, half %y, half %z)
  ret half %r
}

; From double by way of an odd float, to double by way of a float.
; CHECK-LABEL: define <4 x half> @narrowed
; CHECK: %[[F:.*]] = fptrunc <4 x double> %x to <4 x float>
; CHECK: %[[BACK:.*]] = fpext <4 x float> %[[F]] to <4 x double>
; CHECK: fcmp one <4 x double> %[[BACK]], %x
; CHECK: fptrunc <4 x float> {{.*}} to <4 x half>
; NATIVE-LABEL: define <4 x half> @narrowed
; NATIVE: fptrunc <4 x double> %x to <4 x half>
define <4 x half> @narrowed(<4 x double> %x) {
  %h = fptrunc <4 x double> %x to <4 x half>
  ret <4 x half> %h
}

; CHECK-LABEL: define double @extended
; CHECK: %[[F:.*]] = fpext half %x to float
; CHECK: fpext float %[[F]] to double
define double @extended(half %x) {
  %d = fpext half %x to double
  ret double %d
}

; Signs are bits; moves are moves.
; CHECK-LABEL: define <8 x half> @moved
; CHECK-NOT: float
; CHECK: ret
define <8 x half> @moved(<8 x half> %x, <8 x i1> %c) {
  %negative = fneg <8 x half> %x
  %chosen = select <8 x i1> %c, <8 x half> %x, <8 x half> %negative
  ret <8 x half> %chosen
}

declare half @llvm.sqrt.f16(half)
declare half @llvm.minnum.f16(half, half)
declare half @llvm.fma.f16(half, half, half)

; Relaxed math rounds what leaves it, not what stays: neither within an expression nor around a loop.
; CHECK-LABEL: define void @relaxed
; CHECK: loop:
; CHECK: %[[SUM:.*]] = phi float [ 0.000000e+00, %entry ], [ %[[NEXT:.*]], %loop ]
; CHECK: %[[PRODUCT:.*]] = fmul fast float
; CHECK: %[[NEXT]] = fadd fast float {{.*}}%[[PRODUCT]]
; CHECK: exit:
; CHECK: store half
; CHECK-LABEL: define half @once
define void @relaxed(ptr %a, ptr %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %more, %loop ]
  %sum = phi half [ 0.0, %entry ], [ %next, %loop ]
  %p = getelementptr half, ptr %a, i64 %i
  %x = load half, ptr %p
  %product = fmul fast half %x, %x
  %next = fadd fast half %product, %sum
  %more = add i64 %i, 1
  %again = icmp ult i64 %more, %n
  br i1 %again, label %loop, label %exit
exit:
  store half %next, ptr %out
  ret void
}

; What is not relaxed gets a half.
; CHECK: %[[S:.*]] = fadd fast float
; CHECK: %[[H:.*]] = fptrunc contract float %[[S]] to half
; CHECK: fpext half %[[H]] to float
; CHECK: ret
define half @once(half %x, half %y) {
  %s = fadd fast half %x, %y
  %p = fmul half %s, %y
  ret half %p
}

; Rounded and made an int it goes by way of float even there (LLVM 22 would truncate).
; NATIVE-LABEL: define i32 @nearest
; NATIVE: %[[WIDE:.*]] = fpext half %x to float
; NATIVE: %[[ROUNDED:.*]] = call float @llvm.rint.f32(float %[[WIDE]])
; NATIVE: fptosi float %[[ROUNDED]] to i32
define i32 @nearest(half %x) {
  %r = call half @llvm.rint.f16(half %x)
  %i = fptosi half %r to i32
  ret i32 %i
}
