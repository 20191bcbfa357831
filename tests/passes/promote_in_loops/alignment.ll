; What is loaded ahead of the loop is as aligned as the accesses that each iteration makes, not as those under a
; condition.
; RUN: %clarity opt --passes=distinct-buffers,loop-simplify,promote-in-loops %s -o - | FileCheck %s

; CHECK-LABEL: define void @conditional
; CHECK: load <4 x float>, ptr addrspace(1) %c, align 4
; CHECK: store <4 x float> {{.*}}, ptr addrspace(1) %c, align 4
define void @conditional(ptr addrspace(1) %c, ptr addrspace(1) %a, i32 %n, i1 %aligned) {
entry:
  br label %header
header:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %body, label %exit
body:
  br i1 %aligned, label %then, label %latch
then:
  %whole = load <4 x float>, ptr addrspace(1) %c, align 16
  br label %latch
latch:
  %v = phi <4 x float> [ %whole, %then ], [ zeroinitializer, %body ]
  %old = load <4 x float>, ptr addrspace(1) %c, align 4
  %sum = fadd <4 x float> %old, %v
  store <4 x float> %sum, ptr addrspace(1) %c, align 4
  %next = add nuw nsw i32 %k, 1
  br label %header
exit:
  ret void
}

; Of several accesses in each iteration, the most aligned one says what holds.
; CHECK-LABEL: define void @sure
; CHECK: load i32, ptr addrspace(1) %c, align 16
define void @sure(ptr addrspace(1) %c, ptr addrspace(1) %a, i32 %n) {
entry:
  br label %header
header:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %body, label %exit
body:
  %old = load i32, ptr addrspace(1) %c, align 16
  %sum = mul i32 %old, 3
  store i32 %sum, ptr addrspace(1) %c, align 4
  %next = add nuw nsw i32 %k, 1
  br label %header
exit:
  ret void
}
