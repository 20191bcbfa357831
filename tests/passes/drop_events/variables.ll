; RUN: %clarity opt --passes=drop-events %s -o - | FileCheck %s
; Variables that hold events hold numbers; nothing else changes.

; CHECK-LABEL: define void @one
define void @one(i1 %c) {
; CHECK-NEXT: %e = alloca i64
; CHECK-NEXT: %i = alloca i32
; CHECK-NEXT: store i64 0, ptr %e
; CHECK-NEXT: store i64 0, ptr %e
; CHECK-NEXT: store i32 1, ptr %i
; CHECK-NEXT: ret void
  %e = alloca target("spirv.Event")
  %i = alloca i32
  store target("spirv.Event") zeroinitializer, ptr %e
  %v = load target("spirv.Event"), ptr %e
  %w = select i1 %c, target("spirv.Event") %v, target("spirv.Event") zeroinitializer
  store target("spirv.Event") %w, ptr %e
  store i32 1, ptr %i
  ret void
}

; CHECK-LABEL: define void @several
define void @several() {
; CHECK-NEXT: %e = alloca [2 x i64]
; CHECK-NEXT: %p = getelementptr inbounds [2 x i64], ptr %e, i64 0, i64 1
; CHECK-NEXT: store i64 0, ptr %p
  %e = alloca [2 x target("spirv.Event")]
  %p = getelementptr inbounds [2 x target("spirv.Event")], ptr %e, i64 0, i64 1
  store target("spirv.Event") zeroinitializer, ptr %p
  ret void
}
