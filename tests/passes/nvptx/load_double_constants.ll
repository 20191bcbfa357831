; Constants of double that an instruction has no room for come from constant memory, each once for a block.
; RUN: %clarity opt --processor sm_90 --passes=load-double-constants %s -o - | FileCheck %s
; RUN: %clarity opt --processor sm_90 --passes=load-double-constants,load-double-constants %s -o - | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: @clarity.doubles = internal addrspace(4) externally_initialized constant [2 x double] [double 1.000000e-01, double 3.000000e-01], align 8

; CHECK-LABEL: define double @polynomial
; CHECK-NEXT: %[[A:.*]] = load double, ptr addrspace(4) @clarity.doubles, align 8, !invariant.load
; CHECK-NEXT: %[[B:.*]] = load double, ptr addrspace(4) getelementptr inbounds (double, ptr addrspace(4) @clarity.doubles, i64 1), align 8, !invariant.load
; CHECK-NEXT: %p = call double @llvm.fma.f64(double %x, double %[[A]], double %[[B]])
; CHECK-NEXT: %q = fmul double %p, %[[A]]
; The low half is 0: a part of the instruction.
; CHECK-NEXT: %r = fadd double %q, 5.000000e-01
; CHECK-NEXT: %above = fcmp ogt double %r, %[[B]]
; CHECK: next:
; CHECK-NEXT: %[[C:.*]] = load double, ptr addrspace(4) @clarity.doubles
; CHECK-NEXT: %s = fmul double %r, %[[C]]
define double @polynomial(double %x) {
  %p = call double @llvm.fma.f64(double %x, double 0.1, double 0.3)
  %q = fmul double %p, 0.1
  %r = fadd double %q, 0.5
  %above = fcmp ogt double %r, 0.3
  br i1 %above, label %next, label %end

next:
  %s = fmul double %r, 0.1
  br label %end

; What is no operand of arithmetic stays.
; CHECK: end:
; CHECK-NEXT: phi double [ 1.000000e-01, %0 ], [ %s, %next ]
end:
  %result = phi double [ 0.1, %0 ], [ %s, %next ]
  ret double %result
}

; CHECK-LABEL: define float @floats
; CHECK-NEXT: fmul float %x, 0x3FB99999A0000000
define float @floats(float %x) {
  %y = fmul float %x, 0x3FB99999A0000000
  ret float %y
}
