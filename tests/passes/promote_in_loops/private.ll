; An element of a private array that a loop around chooses is in a register while the inner loop runs.
; RUN: %clarity opt --passes='promote-in-loops<private>' %s -o - | FileCheck %s

; CHECK-LABEL: define void @chosen
; CHECK: outer:
; CHECK: %[[FIRST:.*]] = load float, ptr %at
; CHECK: inner:
; CHECK: phi float
; CHECK-NOT: %at
; CHECK: br i1
; CHECK: store float {{.*}}, ptr %at
; CHECK: ret void
define void @chosen(float %a, float %b) {
entry:
  %sums = alloca [8 x float]
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %latch ]
  %at = getelementptr [8 x float], ptr %sums, i64 0, i64 %j
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k.next, %inner ]
  %x = load float, ptr %at
  %p = fmul float %x, %a
  %s = fadd float %p, %b
  store float %s, ptr %at
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, 64
  br i1 %more, label %inner, label %latch
latch:
  %j.next = add i64 %j, 1
  %again = icmp ult i64 %j.next, 8
  br i1 %again, label %outer, label %exit
exit:
  ret void
}

; Another element may be the same one; what the inner loop does not always store stays; global memory is not looked at.
; CHECK-LABEL: define void @left
; CHECK: inner:
; CHECK: load float, ptr %at
; CHECK: store float {{.*}}, ptr %other
; CHECK: store float {{.*}}, ptr %at
; CHECK: load float, ptr addrspace(1) %g
; CHECK: store float {{.*}}, ptr addrspace(1) %g
; CHECK: latch:
define void @left(ptr addrspace(1) %g, i64 %i, float %a) {
entry:
  %sums = alloca [8 x float]
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %latch ]
  %at = getelementptr [8 x float], ptr %sums, i64 0, i64 %j
  %other = getelementptr [8 x float], ptr %sums, i64 0, i64 %i
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k.next, %inner ]
  %x = load float, ptr %at
  store float %a, ptr %other
  %s = fadd float %x, %a
  store float %s, ptr %at
  %y = load float, ptr addrspace(1) %g
  %t = fadd float %y, %x
  store float %t, ptr addrspace(1) %g
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, 64
  br i1 %more, label %inner, label %latch
latch:
  %j.next = add i64 %j, 1
  %again = icmp ult i64 %j.next, 8
  br i1 %again, label %outer, label %exit
exit:
  ret void
}
