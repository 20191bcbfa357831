; Masked stores whose mask is known to hold one lane.
; RUN: %clarity opt --passes='single-lane-stores' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare void @llvm.masked.store.v4i8.p1(<4 x i8>, ptr addrspace(1), <4 x i1>)
declare void @llvm.masked.store.v4i32.p1(<4 x i32>, ptr addrspace(1), <4 x i1>)

; CHECK-LABEL: define void @first
; CHECK: %[[BYTE:.*]] = extractelement <4 x i8> %{{.*}}, i64 0
; CHECK: store i8 %[[BYTE]], ptr addrspace(1) %p, align 1
; CHECK-NOT: masked
; CHECK: ret void
define void @first(<4 x i32> %v, ptr addrspace(1) %p) {
  %narrow = trunc <4 x i32> %v to <4 x i8>
  call void @llvm.masked.store.v4i8.p1(<4 x i8> %narrow, ptr addrspace(1) align 1 %p, <4 x i1> <i1 true, i1 false, i1 false, i1 false>)
  ret void
}

; CHECK-LABEL: define void @third
; CHECK: %[[PLACE:.*]] = getelementptr i8, ptr addrspace(1) %p, i64 8
; CHECK: %[[WORD:.*]] = extractelement <4 x i32> %v, i64 2
; CHECK: store i32 %[[WORD]], ptr addrspace(1) %[[PLACE]], align 8
define void @third(<4 x i32> %v, ptr addrspace(1) %p) {
  call void @llvm.masked.store.v4i32.p1(<4 x i32> %v, ptr addrspace(1) align 16 %p, <4 x i1> <i1 false, i1 false, i1 true, i1 poison>)
  ret void
}

; Two lanes, and an unknown mask, stay.
; CHECK-LABEL: define void @others
; CHECK-COUNT-2: call void @llvm.masked.store
define void @others(<4 x i32> %v, ptr addrspace(1) %p, <4 x i1> %m) {
  call void @llvm.masked.store.v4i32.p1(<4 x i32> %v, ptr addrspace(1) align 4 %p, <4 x i1> <i1 true, i1 true, i1 false, i1 false>)
  call void @llvm.masked.store.v4i32.p1(<4 x i32> %v, ptr addrspace(1) align 4 %p, <4 x i1> %m)
  ret void
}
