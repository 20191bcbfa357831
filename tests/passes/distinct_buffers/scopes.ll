; Accesses through different arguments get scopes that tell them apart; what is only read is noalias and readonly.
; RUN: %clarity opt --passes=distinct-buffers %s -o - | FileCheck %s
; RUN: %clarity opt --passes='distinct-buffers<restrict>' %s -o - | FileCheck %s --check-prefix=RESTRICT

; CHECK-LABEL: define void @sum(ptr addrspace(1) %to, ptr addrspace(1) noalias readonly %x, ptr addrspace(2) noalias readonly %y)
; CHECK: load float, ptr addrspace(1) %x, {{.*}}!alias.scope ![[X:[0-9]+]], !noalias ![[TO:[0-9]+]]
; CHECK: load float, ptr addrspace(2) %y, {{.*}}!alias.scope ![[Y:[0-9]+]], !noalias ![[TO]]
; CHECK: store float {{.*}}, ptr addrspace(1) %to, {{.*}}!alias.scope ![[TO]], !noalias ![[XY:[0-9]+]]
; RESTRICT-LABEL: define void @sum(ptr addrspace(1) %to, ptr addrspace(1) %x, ptr addrspace(2) %y)
; RESTRICT-NOT: alias.scope
define void @sum(ptr addrspace(1) %to, ptr addrspace(1) %x, ptr addrspace(2) %y) !kernel_arg_type_qual !0 {
  %a = load float, ptr addrspace(1) %x
  %b = load float, ptr addrspace(2) %y
  %c = fadd float %a, %b
  store float %c, ptr addrspace(1) %to
  ret void
}

; Not where a store may be to anything, as through a pointer from memory: that store has no scope.
; CHECK-LABEL: define void @list(ptr addrspace(1) %x, ptr addrspace(1) %list)
; CHECK: load i32, ptr addrspace(1) %x, {{.*}}!alias.scope
; CHECK: store i32 1, ptr addrspace(1) %p, align 4{{$}}
define void @list(ptr addrspace(1) %x, ptr addrspace(1) %list) {
  %a = load i32, ptr addrspace(1) %x
  %p = load ptr addrspace(1), ptr addrspace(1) %list
  store i32 1, ptr addrspace(1) %p
  store i32 %a, ptr addrspace(1) %list
  ret void
}

; An access through one of two arguments is apart from the third only.
; CHECK-LABEL: define void @chosen
; CHECK: store i32 1, ptr addrspace(1) %p, {{.*}}!alias.scope ![[AB:[0-9]+]], !noalias ![[C:[0-9]+]]
; CHECK: store i32 2, ptr addrspace(1) %c, {{.*}}!alias.scope ![[C]], !noalias ![[AB]]
define void @chosen(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i1 %which) {
  %p = select i1 %which, ptr addrspace(1) %a, ptr addrspace(1) %b
  store i32 1, ptr addrspace(1) %p
  store i32 2, ptr addrspace(1) %c
  ret void
}

; Two pointers to const may be to the same buffer; if one is written all the same, the other is no read-only memory.
; CHECK-LABEL: define void @constants(ptr addrspace(1) %a, ptr addrspace(1) %b)
; CHECK: load i32, ptr addrspace(1) %a, {{.*}}!alias.scope !{{[0-9]+$}}
; CHECK: store i32 1, ptr addrspace(1) %b, {{.*}}!alias.scope !{{[0-9]+$}}
define void @constants(ptr addrspace(1) %a, ptr addrspace(1) %b) !kernel_arg_type_qual !1 {
  %x = load i32, ptr addrspace(1) %a
  store i32 1, ptr addrspace(1) %b
  ret void
}

!0 = !{!"", !"const", !"const"}
!1 = !{!"const", !"const volatile"}

; CHECK-DAG: ![[XY]] = !{![[#]], ![[#]]}
