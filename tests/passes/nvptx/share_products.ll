; Signs go from factors to products, and products of the iteration before are carried along.
; RUN: %clarity opt --processor sm_90 --passes=share-products,adce %s -o - | FileCheck %s
; RUN: %clarity opt --processor sm_90 --passes=share-products,adce,early-cse %s -o - | FileCheck %s --check-prefix=ONCE

; ONCE-LABEL: define float @difference
; ONCE-COUNT-1: fmul
; ONCE-NOT: fmul
; ONCE: ret float
; CHECK-LABEL: define float @difference
; CHECK-NEXT: %other = fmul float %y, %y
; CHECK-NEXT: %[[PRODUCT:.*]] = fmul contract float %y, %y
; CHECK-NEXT: %[[NEGATIVE:.*]] = fneg contract float %[[PRODUCT]]
; CHECK-NEXT: %sum = fadd float %other, %[[NEGATIVE]]
define float @difference(float %y) {
  %other = fmul float %y, %y
  %minus = fneg float %y
  %product = fmul contract float %y, %minus
  %sum = fadd float %other, %product
  ret float %sum
}

; The product of this iteration's %v is that of the last one's %next.value: computed once ahead of the loop.
; CHECK-LABEL: define float @carried
; CHECK: entry:
; CHECK: %[[FIRST:.*]] = fmul float %x, %x
; CHECK: loop:
; CHECK: phi float [ %[[FIRST]], %entry ], [ %later, %loop ]
; CHECK-COUNT-1: fmul
; CHECK-NOT: fmul
; CHECK: ret float
define float @carried(ptr addrspace(1) %a, float %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %x, %entry ], [ %value, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %square = fmul float %v, %v
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %value = load float, ptr addrspace(1) %p, align 4
  %later = fmul float %value, %value
  %step = fsub float %later, %square
  %sum = fadd float %total, %step
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum
}

; Computed in some iterations only: the next one may not have it.
; CHECK-LABEL: define float @sometimes
; CHECK: loop:
; CHECK-NOT: phi float [ %{{.*}}, %entry ], [ %later,
; CHECK: %square = fmul float %v, %v
; CHECK: %later = fmul float %value, %value
define float @sometimes(ptr addrspace(1) %a, float %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %v = phi float [ %x, %entry ], [ %value, %latch ]
  %total = phi float [ 0.0, %entry ], [ %sum, %latch ]
  %square = fmul float %v, %v
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %value = load float, ptr addrspace(1) %p, align 4
  %large = fcmp ogt float %value, 1.0
  br i1 %large, label %then, label %latch
then:
  %later = fmul float %value, %value
  br label %latch
latch:
  %step = phi float [ %later, %then ], [ %square, %loop ]
  %sum = fadd float %total, %step
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum
}

; Another product: of both values, which the last iteration has not made. The factor that does not change is one.
; CHECK-LABEL: define float @mixed
; CHECK: %[[FIRST:.*]] = fmul float %x, %k
; CHECK: loop:
; CHECK: phi float [ %[[FIRST]], %entry ], [ %later, %loop ]
; CHECK-NOT: %scaled = fmul
; CHECK: %both = fmul float %v, %value
define float @mixed(ptr addrspace(1) %a, float %x, float %k, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %x, %entry ], [ %value, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %scaled = fmul float %v, %k
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %value = load float, ptr addrspace(1) %p, align 4
  %both = fmul float %v, %value
  %later = fmul float %k, %value
  %s = fadd float %scaled, %both
  %t = fadd float %s, %later
  %sum = fadd float %total, %t
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum
}

; A sum's sign is not a product's.
; CHECK-LABEL: define float @sums
; CHECK: %minus = fneg float %y
; CHECK: %sum = fadd float %x, %minus
define float @sums(float %x, float %y) {
  %minus = fneg float %y
  %sum = fadd float %x, %minus
  ret float %sum
}
