; What a loop loads from one place and stores there is in a register while it runs.
; RUN: %clarity opt --passes=loop-simplify,promote-in-loops %s -o - | FileCheck %s
; RUN: %clarity opt --passes=distinct-buffers,loop-simplify,promote-in-loops %s -o - | FileCheck %s --check-prefix=DISTINCT

; The loop may have no iteration: then nothing is loaded and stored.
; DISTINCT-LABEL: define void @sum
; DISTINCT: %[[RUNS:.*]] = icmp {{.*}} i32 %n, {{[01]}}
; DISTINCT: br i1 %[[RUNS]], label %[[LOAD:[^,]*]], label %[[AHEAD:.*]]
; DISTINCT: load float, ptr addrspace(1) %c
; DISTINCT: header:
; DISTINCT-NOT: %c
; DISTINCT: body:
; DISTINCT-NOT: ptr addrspace(1) %c
; DISTINCT: br label %header
; DISTINCT: store float {{.*}}, ptr addrspace(1) %c
; DISTINCT: ret void

; Another buffer may be the same.
; CHECK-LABEL: define void @sum
; CHECK: body:
; CHECK: load float, ptr addrspace(1) %c
; CHECK: store float {{.*}}, ptr addrspace(1) %c
; CHECK: br label %header
define void @sum(ptr addrspace(1) %c, ptr addrspace(1) %a, i32 %n) {
entry:
  br label %header
header:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %body, label %exit
body:
  %at = getelementptr float, ptr addrspace(1) %a, i32 %k
  %x = load float, ptr addrspace(1) %at
  %s = load float, ptr addrspace(1) %c
  %t = fadd float %s, %x
  store float %t, ptr addrspace(1) %c
  %next = add i32 %k, 1
  br label %header
exit:
  ret void
}

; Not what iterations may leave out: other work-items may store there where this one does not.
; CHECK-LABEL: define void @guarded
; CHECK: add:
; CHECK: store i32 {{.*}}, ptr addrspace(1) %c
; CHECK: ret void
define void @guarded(ptr addrspace(1) %c, i32 %n) {
entry:
  br label %header
header:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %body, label %exit
body:
  %odd = and i32 %k, 1
  %is = icmp ne i32 %odd, 0
  br i1 %is, label %add, label %latch
add:
  %s = load i32, ptr addrspace(1) %c
  %t = mul i32 %s, 3
  store i32 %t, ptr addrspace(1) %c
  br label %latch
latch:
  %next = add i32 %k, 1
  br label %header
exit:
  ret void
}
