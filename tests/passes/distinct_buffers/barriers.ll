; `restrict` says nothing of what other work-items write ahead of a barrier: written arguments lose `noalias`, and calls
; the scopes that inlining gave them. Accesses through different arguments are told apart still.
; RUN: %clarity opt --passes='distinct-buffers<restrict>' %s -o - | FileCheck %s

declare void @__clarity_barrier(i32)

; CHECK-LABEL: define void @meets(ptr addrspace(1) %a, ptr addrspace(1) noalias readonly %b, ptr addrspace(1) %c)
; CHECK: load i32, ptr addrspace(1) %a, {{.*}}!alias.scope ![[A:[0-9]+]], !noalias ![[B:[0-9]+]]
; CHECK: call void @__clarity_barrier(i32 2){{$}}
; CHECK: load i32, ptr addrspace(1) %b, {{.*}}!alias.scope ![[B]], !noalias ![[A]]
; CHECK: store i32 %y, ptr addrspace(1) %c, {{.*}}!noalias
define void @meets(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) %c) {
  %x = load i32, ptr addrspace(1) %a
  call void @__clarity_barrier(i32 2), !noalias !2
  %y = load i32, ptr addrspace(1) %b
  store i32 %y, ptr addrspace(1) %a
  store i32 %y, ptr addrspace(1) %c
  ret void
}

; Without a barrier they keep it.
; CHECK-LABEL: define void @alone(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias readonly %b)
define void @alone(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
  %y = load i32, ptr addrspace(1) %b
  store i32 %y, ptr addrspace(1) %a
  ret void
}

!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}
