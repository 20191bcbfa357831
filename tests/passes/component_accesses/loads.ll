; A load of components of a vector loads these components, where checks look at it.
; RUN: %clarity opt --passes='component-accesses,component-loads' %s -o - | FileCheck %s

; CHECK-LABEL: define float @one
; CHECK: %[[AT:.*]] = getelementptr inbounds float, ptr addrspace(1) %p, i64 3
; CHECK-NEXT: %[[V:.*]] = load float, ptr addrspace(1) %[[AT]], align 4
; CHECK-NEXT: ret float %[[V]]
define float @one(ptr addrspace(1) %p) {
  %all = load <4 x float>, ptr addrspace(1) %p, align 16
  %v = extractelement <4 x float> %all, i64 3
  ret float %v
}

; CHECK-LABEL: define <2 x i8> @neighbours
; CHECK: %[[AT:.*]] = getelementptr inbounds i8, ptr %p, i64 2
; CHECK-NEXT: load <2 x i8>, ptr %[[AT]], align 2
; CHECK-NOT: load
; CHECK: ret <2 x i8>
define <2 x i8> @neighbours(ptr %p) {
  %all = load <8 x i8>, ptr %p, align 8
  %v = shufflevector <8 x i8> %all, <8 x i8> poison, <2 x i32> <i32 3, i32 2>
  ret <2 x i8> %v
}

; Of three components, which are four in memory.
; CHECK-LABEL: define float @three
; CHECK-NOT: load <
; CHECK: load float, ptr %p, align 16
; CHECK-NOT: load
; CHECK: ret float
define float @three(ptr %p) {
  %all = load <4 x float>, ptr %p, align 16
  %some = shufflevector <4 x float> %all, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>
  %v = extractelement <3 x float> %some, i64 0
  ret float %v
}

; p->x += v reads and writes one component.
; CHECK-LABEL: define void @sum
; CHECK: %[[OLD:.*]] = load float, ptr addrspace(1) %p, align 16
; CHECK-NEXT: %[[NEW:.*]] = fadd float %[[OLD]], %v
; CHECK-NEXT: store float %[[NEW]], ptr addrspace(1) %p, align 16
; CHECK-NEXT: ret void
define void @sum(ptr addrspace(1) %p, float %v) {
  %all = load <4 x float>, ptr addrspace(1) %p, align 16
  %old = extractelement <4 x float> %all, i64 0
  %new = fadd float %old, %v
  %again = load <4 x float>, ptr addrspace(1) %p, align 16
  %changed = insertelement <4 x float> %again, float %new, i64 0
  store <4 x float> %changed, ptr addrspace(1) %p, align 16
  ret void
}

; CHECK-LABEL: define i32 @chosen
; CHECK: %[[AT:.*]] = getelementptr inbounds i32, ptr %p, i64 %{{.*}}
; CHECK: load i32, ptr %[[AT]], align 4
define i32 @chosen(ptr %p, i32 %i) {
  %all = load <4 x i32>, ptr %p, align 16
  %v = extractelement <4 x i32> %all, i32 %i
  ret i32 %v
}

; CHECK-LABEL: define <4 x float> @whole
; CHECK: load <4 x float>, ptr %p, align 16
define <4 x float> @whole(ptr %p) {
  %all = load <4 x float>, ptr %p, align 16
  %v = extractelement <4 x float> %all, i64 3
  %sum = insertelement <4 x float> %all, float %v, i64 0
  ret <4 x float> %sum
}
