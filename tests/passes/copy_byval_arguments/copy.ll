; RUN: %clarity opt --passes=copy-byval-arguments %s -o - | FileCheck %s
%S = type { i32, <4 x float> }

; CHECK-LABEL: define void @k(ptr noalias readonly align 16 dereferenceable(32) %s)
; CHECK: %s.copy = alloca %S, align 16
; CHECK: call void @llvm.memcpy{{.*}}(ptr align 16 %s.copy, ptr align 16 %s, i64 32
; CHECK: store i32 1, ptr %s.copy
define void @k(ptr byval(%S) align 16 %s) {
  store i32 1, ptr %s
  ret void
}

; An argument that is only read is read in place, and so is a copy of it. No more alignment is relied on than the
; argument block has.
; CHECK-LABEL: define float @read(ptr noalias readonly align 16 dereferenceable(64) %s, i64 %k)
; CHECK-NOT: alloca
; CHECK-NOT: memcpy
; CHECK: getelementptr [16 x float], ptr %s, i64 0, i64 %k
; CHECK: load <4 x float>, ptr %s, align 16
define float @read(ptr byval([16 x float]) align 64 %s, i64 %k) {
  %copy = alloca [16 x float], align 64
  call void @llvm.lifetime.start.p0(ptr %copy)
  call void @llvm.memcpy.p0.p0.i64(ptr align 64 %copy, ptr align 64 %s, i64 64, i1 false)
  %p = getelementptr [16 x float], ptr %copy, i64 0, i64 %k
  %x = load float, ptr %p
  %v = load <4 x float>, ptr %copy, align 64
  %y = extractelement <4 x float> %v, i64 %k
  %z = fadd float %x, %y
  call void @llvm.lifetime.end.p0(ptr %copy)
  ret float %z
}

; A copy that is written stays a copy.
; CHECK-LABEL: define i32 @written
; CHECK: %copy = alloca %S
; CHECK: memcpy
; CHECK-NOT: alloca
define i32 @written(ptr byval(%S) align 16 %s, i32 %by) {
  %copy = alloca %S
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %copy, ptr align 16 %s, i64 32, i1 false)
  store i32 %by, ptr %copy
  %x = load i32, ptr %copy
  %y = load i32, ptr %s
  %z = add i32 %x, %y
  ret i32 %z
}
; A copy that is only read stays one where the argument is written: it has what was there before.
; CHECK-LABEL: define i32 @before
; CHECK: %s.copy = alloca %S
; CHECK: %copy = alloca %S
; CHECK: store i32 %by, ptr %s.copy
; CHECK: load i32, ptr %copy
define i32 @before(ptr byval(%S) align 16 %s, i32 %by) {
  %copy = alloca %S
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %copy, ptr align 16 %s, i64 32, i1 false)
  store i32 %by, ptr %s
  %x = load i32, ptr %copy
  ret i32 %x
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
