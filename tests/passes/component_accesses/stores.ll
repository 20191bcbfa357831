; A store to components of a vector stores these components.
; RUN: %clarity opt --passes=component-accesses %s -o - | FileCheck %s

; CHECK-LABEL: define void @one
; CHECK-NOT: load
; CHECK: %[[AT:.*]] = getelementptr inbounds float, ptr addrspace(1) %p, i64 2
; CHECK-NEXT: store float %v, ptr addrspace(1) %[[AT]], align 8
; CHECK-NEXT: ret void
define void @one(ptr addrspace(1) %p, float %v) {
  %all = load <4 x float>, ptr addrspace(1) %p, align 16
  %new = insertelement <4 x float> %all, float %v, i64 2
  store <4 x float> %new, ptr addrspace(1) %p, align 16
  ret void
}

; p->yz = v: neighbours are one store.
; CHECK-LABEL: define void @neighbours
; CHECK-NOT: load
; CHECK: %[[AT:.*]] = getelementptr inbounds float, ptr addrspace(1) %p, i64 1
; CHECK: store <2 x float> %{{.*}}, ptr addrspace(1) %[[AT]], align 4
; CHECK-NOT: store
; CHECK: ret void
define void @neighbours(ptr addrspace(1) %p, <2 x float> %v) {
  %all = load <4 x float>, ptr addrspace(1) %p, align 16
  %wide = shufflevector <2 x float> %v, <2 x float> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 poison>
  %new = shufflevector <4 x float> %all, <4 x float> %wide, <4 x i32> <i32 0, i32 4, i32 5, i32 3>
  store <4 x float> %new, ptr addrspace(1) %p, align 16
  ret void
}

; p->xw = v.yx
; CHECK-LABEL: define void @apart
; CHECK: %[[FIRST:.*]] = extractelement <2 x i32> %v, i64 1
; CHECK: store i32 %[[FIRST]], ptr %p, align 16
; CHECK: %[[LAST:.*]] = extractelement <2 x i32> %v, i64 0
; CHECK: %[[AT:.*]] = getelementptr inbounds i32, ptr %p, i64 3
; CHECK: store i32 %[[LAST]], ptr %[[AT]], align 4
define void @apart(ptr %p, <2 x i32> %v) {
  %all = load <4 x i32>, ptr %p, align 16
  %swapped = shufflevector <2 x i32> %v, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %wide = shufflevector <2 x i32> %swapped, <2 x i32> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 poison>
  %new = shufflevector <4 x i32> %all, <4 x i32> %wide, <4 x i32> <i32 4, i32 1, i32 2, i32 5>
  store <4 x i32> %new, ptr %p, align 16
  ret void
}

; A vector of three components is one of four in memory, whose last is never stored.
; CHECK-LABEL: define void @three
; CHECK-NOT: load
; CHECK: %[[AT:.*]] = getelementptr inbounds float, ptr addrspace(3) %p, i64 1
; CHECK-NEXT: store volatile float %v, ptr addrspace(3) %[[AT]], align 4
; CHECK-NEXT: ret void
define void @three(ptr addrspace(3) %p, float %v) {
  %all = load volatile <4 x float>, ptr addrspace(3) %p, align 16
  %some = shufflevector <4 x float> %all, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>
  %new = insertelement <3 x float> %some, float %v, i64 1
  %four = shufflevector <3 x float> %new, <3 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  store volatile <4 x float> %four, ptr addrspace(3) %p, align 16
  ret void
}

; (*p)[i] = v
; CHECK-LABEL: define void @chosen
; CHECK: %[[NUMBER:.*]] = and i64 %{{.*}}, 3
; CHECK: %[[AT:.*]] = getelementptr inbounds i16, ptr %p, i64 %[[NUMBER]]
; CHECK: store i16 %v, ptr %[[AT]], align 2
define void @chosen(ptr %p, i16 %v, i32 %i) {
  %all = load <4 x i16>, ptr %p, align 8
  %new = insertelement <4 x i16> %all, i16 %v, i32 %i
  store <4 x i16> %new, ptr %p, align 8
  ret void
}

; What others may write in between, or whole vectors, stay as they are.
; CHECK-LABEL: define void @left
; CHECK: store <4 x float> %new, ptr %p
; CHECK: store <4 x float> %other, ptr %q
; CHECK: ret void
define void @left(ptr %p, ptr %q, float %v, <4 x float> %w) {
  %all = load <4 x float>, ptr %p, align 16
  store float %v, ptr %q
  %new = insertelement <4 x float> %all, float %v, i64 2
  store <4 x float> %new, ptr %p, align 16
  %old = load <4 x float>, ptr %q, align 16
  %other = shufflevector <4 x float> %old, <4 x float> %w, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  store <4 x float> %other, ptr %q, align 16
  ret void
}
