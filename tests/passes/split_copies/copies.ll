; Copies and fills of a few members become loads and stores of these.
; RUN: %clarity opt --passes='split-copies' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; All loads come before the stores: the blocks may be one.
; CHECK-LABEL: define void @words
; CHECK-NEXT: %[[A:.*]] = load i32, ptr addrspace(1) %from, align 8
; CHECK-NEXT: %[[PLACE:.*]] = getelementptr inbounds i8, ptr addrspace(1) %from, i64 4
; CHECK-NEXT: %[[B:.*]] = load i32, ptr addrspace(1) %[[PLACE]], align 4
; CHECK-NEXT: store i32 %[[A]], ptr addrspace(1) %to, align 4
; CHECK-NEXT: %[[PLACE2:.*]] = getelementptr inbounds i8, ptr addrspace(1) %to, i64 4
; CHECK-NEXT: store i32 %[[B]], ptr addrspace(1) %[[PLACE2]], align 4
; CHECK-NEXT: ret void
define void @words(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %to, ptr addrspace(1) align 8 %from, i64 8, i1 false)
  ret void
}

; The source says where members are, and what is no member.
; CHECK-LABEL: define void @members
; CHECK-NEXT: load i8, ptr addrspace(1) %from, align 8
; CHECK: getelementptr inbounds i8, ptr addrspace(1) %from, i64 8
; CHECK-NEXT: load i64, {{.*}} align 8
; CHECK-NOT: load
; CHECK: ret void
define void @members(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 8 %to, ptr addrspace(1) align 8 %from, i64 16, i1 false), !tbaa.struct !0
  ret void
}

; Pieces are no larger than the elements of a private array, whatever the alignment.
; CHECK-LABEL: define void @array
; CHECK-COUNT-4: load i16, ptr addrspace(1)
; CHECK-NOT: load i
; CHECK: ret void
define void @array(ptr addrspace(1) %from) {
  %own = alloca [4 x i16], align 8
  call void @llvm.memcpy.p0.p1.i64(ptr align 8 %own, ptr addrspace(1) align 8 %from, i64 8, i1 false)
  ret void
}

; CHECK-LABEL: define void @fill
; CHECK: store i32 16843009, ptr %own
; CHECK-COUNT-2: store i32 16843009
; CHECK-NOT: store
; CHECK: ret void
define void @fill() {
  %own = alloca [3 x float]
  call void @llvm.memset.p0.i64(ptr align 4 %own, i8 1, i64 12, i1 false)
  ret void
}

; Long ones, those of unknown length, and volatile ones stay.
; CHECK-LABEL: define void @stay
; CHECK-COUNT-3: call void @llvm.memcpy
; CHECK-NOT: load
; CHECK: ret void
define void @stay(ptr addrspace(1) %to, ptr addrspace(1) %from, i64 %n) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %to, ptr addrspace(1) align 4 %from, i64 68, i1 false)
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %to, ptr addrspace(1) align 4 %from, i64 %n, i1 false)
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %to, ptr addrspace(1) align 4 %from, i64 8, i1 true)
  ret void
}

!0 = !{i64 0, i64 1, !1, i64 8, i64 8, !2}
!1 = !{!3, !3, i64 0}
!2 = !{!4, !4, i64 0}
!3 = !{!"char", !5, i64 0}
!4 = !{!"long", !5, i64 0}
!5 = !{!"root"}
