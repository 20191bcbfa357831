; Places that others may access while the loop runs stay in memory.
; RUN: %clarity opt --passes=distinct-buffers,loop-simplify,promote-in-loops %s -o - | FileCheck %s

declare void @__clarity_barrier(i32)

; CHECK-LABEL: define void @barriers
; CHECK: body:
; CHECK: load i32, ptr addrspace(1) %c
; CHECK: store i32 {{.*}}, ptr addrspace(1) %c
; CHECK: br label %header
define void @barriers(ptr addrspace(1) %c, i32 %n) {
entry:
  br label %header
header:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %body, label %exit
body:
  %s = load i32, ptr addrspace(1) %c
  call void @__clarity_barrier(i32 2)
  %t = mul i32 %s, 3
  store i32 %t, ptr addrspace(1) %c
  %next = add i32 %k, 1
  br label %header
exit:
  ret void
}

; CHECK-LABEL: define void @atomics
; CHECK: body:
; CHECK: store i32 {{.*}}, ptr addrspace(1) %c
; CHECK: br label %header
define void @atomics(ptr addrspace(1) %c, ptr addrspace(1) %flag, i32 %n) {
entry:
  br label %header
header:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %body, label %exit
body:
  %s = load i32, ptr addrspace(1) %c
  %t = mul i32 %s, 3
  store i32 %t, ptr addrspace(1) %c
  %old = atomicrmw add ptr addrspace(1) %flag, i32 1 seq_cst
  %next = add i32 %k, 1
  br label %header
exit:
  ret void
}

; Two exits.
; CHECK-LABEL: define void @leaves
; CHECK: body:
; CHECK: store i32 {{.*}}, ptr addrspace(1) %c
; CHECK: br i1
define void @leaves(ptr addrspace(1) %c, i32 %n) {
entry:
  br label %header
header:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %body, label %exit
body:
  %s = load i32, ptr addrspace(1) %c
  %t = mul i32 %s, 3
  store i32 %t, ptr addrspace(1) %c
  %next = add i32 %k, 1
  %stop = icmp eq i32 %t, 81
  br i1 %stop, label %exit, label %header
exit:
  ret void
}
