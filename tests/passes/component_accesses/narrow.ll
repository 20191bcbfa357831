; Where a vector is loaded for one component, or for few of many, only these are loaded; otherwise one load has all.
; RUN: %clarity opt --passes=narrow-loads %s -o - | FileCheck %s

; CHECK-LABEL: define float @one
; CHECK: %[[AT:.*]] = getelementptr inbounds float, ptr addrspace(1) %p, i64 3
; CHECK-NEXT: %[[V:.*]] = load float, ptr addrspace(1) %[[AT]], align 4
; CHECK-NEXT: ret float %[[V]]
define float @one(ptr addrspace(1) %p) {
  %all = load <4 x float>, ptr addrspace(1) %p, align 16
  %v = extractelement <4 x float> %all, i64 3
  ret float %v
}

; CHECK-LABEL: define float @three
; CHECK: load <4 x float>, ptr %p, align 16
; CHECK-NOT: load
; CHECK: ret float
define float @three(ptr %p) {
  %all = load <4 x float>, ptr %p, align 16
  %x = extractelement <4 x float> %all, i64 0
  %y = extractelement <4 x float> %all, i64 1
  %z = extractelement <4 x float> %all, i64 2
  %xy = fadd float %x, %y
  %xyz = fadd float %xy, %z
  ret float %xyz
}

; By several loads, `p[i].x + p[i].y`, which will be one.
; CHECK-LABEL: define float @together
; CHECK-COUNT-2: load <2 x float>
; CHECK-NOT: load
; CHECK: ret float
define float @together(ptr %p, i32 %i) {
  %wide = sext i32 %i to i64
  %at = getelementptr <2 x float>, ptr %p, i64 %wide
  %all = load <2 x float>, ptr %at, align 8
  %x = extractelement <2 x float> %all, i64 0
  %again = sext i32 %i to i64
  %same = getelementptr <2 x float>, ptr %p, i64 %again
  %other = load <2 x float>, ptr %same, align 8
  %y = extractelement <2 x float> %other, i64 1
  %xy = fadd float %x, %y
  ret float %xy
}

; In another block, which may run less often: `while (a[i].x != key) ...; return a[i].y`.
; CHECK-LABEL: define float @elsewhere
; CHECK-COUNT-2: load float, ptr
; CHECK: then:
; CHECK: load float, ptr %{{.*}}, align 4
; CHECK: ret float
define float @elsewhere(ptr %p, ptr %q) {
entry:
  %all = load <2 x float>, ptr %p, align 8
  %x = extractelement <2 x float> %all, i64 0
  %theirs = load <2 x float>, ptr %q, align 8
  %their.x = extractelement <2 x float> %theirs, i64 0
  %c = fcmp oeq float %x, %their.x
  br i1 %c, label %then, label %end
then:
  %again = load <2 x float>, ptr %p, align 8
  %y = extractelement <2 x float> %again, i64 1
  ret float %y
end:
  ret float 0.0
}

; Two of sixteen.
; CHECK-LABEL: define float @few
; CHECK: load <2 x float>, ptr %p, align 64
; CHECK-NOT: load
; CHECK: ret float
define float @few(ptr %p) {
  %all = load <16 x float>, ptr %p, align 64
  %x = extractelement <16 x float> %all, i64 0
  %y = extractelement <16 x float> %all, i64 1
  %xy = fadd float %x, %y
  ret float %xy
}
