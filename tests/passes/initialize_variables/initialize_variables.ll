; RUN: %clarity opt --passes=initialize-variables %s -o - | FileCheck %s

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @use(ptr)

; Without marks: behind the variables of the entry block.
; CHECK-LABEL: define void @marks(
; CHECK: %a = alloca i32, align 4
; CHECK-NEXT: %b = alloca [5 x float], align 16
; CHECK-NEXT: store i32 0, ptr %a, align 4
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr align 16 %b, i8 0, i64 20, i1 false)
; CHECK-NEXT: call void @use(ptr %a)
define void @marks() {
  %a = alloca i32, align 4
  %b = alloca [5 x float], align 16
  call void @use(ptr %a)
  call void @use(ptr %b)
  ret void
}

; In a loop: in each iteration, where the life begins.
; CHECK-LABEL: define void @life(
; CHECK: %v = alloca <4 x float>, align 16
; CHECK-NEXT: br label %loop
; CHECK: call void @llvm.lifetime.start.p0(ptr %v)
; CHECK-NEXT: store <4 x float> zeroinitializer, ptr %v, align 16
; CHECK-NEXT: call void @use(ptr %v)
define void @life(i1 %again) {
  %v = alloca <4 x float>, align 16
  br label %loop
loop:
  call void @llvm.lifetime.start.p0(ptr %v)
  call void @use(ptr %v)
  call void @llvm.lifetime.end.p0(ptr %v)
  br i1 %again, label %loop, label %end
end:
  ret void
}
