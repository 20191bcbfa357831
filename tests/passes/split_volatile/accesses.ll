; Volatile accesses to vectors become volatile accesses to their elements, in order. Plain accesses are the scalariser's,
; and elements narrower than a byte have no address.
; RUN: %clarity opt --passes='split-volatile' %s -o - | FileCheck %s

; CHECK-LABEL: define void @stored
; CHECK-NEXT: %[[X:.*]] = extractelement <4 x i32> %v, i64 0
; CHECK-NEXT: store volatile i32 %[[X]], ptr addrspace(1) %p, align 16, !llvm.access.group
; CHECK-NEXT: %[[Y:.*]] = extractelement <4 x i32> %v, i64 1
; CHECK-NEXT: %[[AT:.*]] = getelementptr inbounds i32, ptr addrspace(1) %p, i64 1
; CHECK-NEXT: store volatile i32 %[[Y]], ptr addrspace(1) %[[AT]], align 4, !llvm.access.group
; CHECK: store volatile i32 %{{.*}}, ptr addrspace(1) %{{.*}}, align 8, !llvm.access.group
; CHECK: store volatile i32 %{{.*}}, ptr addrspace(1) %{{.*}}, align 4, !llvm.access.group
; CHECK-NEXT: ret void
define void @stored(<4 x i32> %v, ptr addrspace(1) %p) {
  store volatile <4 x i32> %v, ptr addrspace(1) %p, align 16, !llvm.access.group !0
  ret void
}

; CHECK-LABEL: define <2 x float> @loaded
; CHECK-NEXT: %[[X:.*]] = load volatile float, ptr addrspace(1) %p, align 4
; CHECK-NEXT: %[[HALF:.*]] = insertelement <2 x float> poison, float %[[X]], i64 0
; CHECK-NEXT: %[[AT:.*]] = getelementptr inbounds float, ptr addrspace(1) %p, i64 1
; CHECK-NEXT: %[[Y:.*]] = load volatile float, ptr addrspace(1) %[[AT]], align 4
; CHECK-NEXT: %[[BOTH:.*]] = insertelement <2 x float> %[[HALF]], float %[[Y]], i64 1
; CHECK-NEXT: ret <2 x float> %[[BOTH]]
define <2 x float> @loaded(ptr addrspace(1) %p) {
  %v = load volatile <2 x float>, ptr addrspace(1) %p, align 4
  ret <2 x float> %v
}

; What each iteration of the innermost loop does stays as it is; what it does under a condition does not.
; CHECK-LABEL: define void @always
; CHECK: load volatile <2 x i32>
; CHECK-LABEL: define void @sometimes
; CHECK: load volatile i32
; CHECK: load volatile i32
; CHECK-NOT: load volatile <2 x i32>
define void @always(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr <2 x i32>, ptr addrspace(1) %p, i64 %i
  %v = load volatile <2 x i32>, ptr addrspace(1) %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
define void @sometimes(ptr addrspace(1) %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %at = getelementptr <2 x i32>, ptr addrspace(1) %p, i64 %i
  %is = icmp eq i64 %i, %n
  br i1 %is, label %found, label %latch
found:
  %v = load volatile <2 x i32>, ptr addrspace(1) %at
  br label %latch
latch:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @left
; CHECK: load <2 x i32>
; CHECK: store <2 x i32>
; CHECK: store volatile i32
; CHECK: store volatile <8 x i1>
define void @left(ptr addrspace(1) %p, i32 %i, <8 x i1> %m) {
  %v = load <2 x i32>, ptr addrspace(1) %p
  store <2 x i32> %v, ptr addrspace(1) %p
  store volatile i32 %i, ptr addrspace(1) %p
  store volatile <8 x i1> %m, ptr addrspace(1) %p
  ret void
}

!0 = distinct !{}
