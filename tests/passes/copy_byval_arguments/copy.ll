; RUN: %clarity opt --passes=copy-byval-arguments %s -o - | FileCheck %s
%S = type { i32, <4 x float> }

; CHECK-LABEL: define void @k(ptr noalias readonly dereferenceable(32) %s)
; CHECK: %s.copy = alloca %S, align 16
; CHECK: call void @llvm.memcpy{{.*}}(ptr align 16 %s.copy, ptr align 16 %s, i64 32
; CHECK: store i32 1, ptr %s.copy
define void @k(ptr byval(%S) align 16 %s) {
  store i32 1, ptr %s
  ret void
}
