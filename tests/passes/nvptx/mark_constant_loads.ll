; Loads from constant memory, which nothing writes while a kernel runs, are marked as invariant.
; RUN: %clarity opt --processor sm_90 --passes=mark-constant-loads %s -o - | FileCheck %s

; CHECK-LABEL: define float @table
; CHECK: load float, ptr addrspace(2) %table, align 4, !invariant.load ![[EMPTY:[0-9]+]]
; CHECK: load <4 x float>, ptr addrspace(2) %next, align 16, !invariant.load ![[EMPTY]]
define float @table(ptr addrspace(2) %table) {
  %a = load float, ptr addrspace(2) %table, align 4
  %next = getelementptr inbounds i8, ptr addrspace(2) %table, i64 16
  %row = load <4 x float>, ptr addrspace(2) %next, align 16
  %b = extractelement <4 x float> %row, i64 2
  %sum = fadd float %a, %b
  ret float %sum
}

; Each access counts that a program calls volatile.
; CHECK-LABEL: define float @volatile
; CHECK: load volatile float, ptr addrspace(2) %table, align 4{{$}}
define float @volatile(ptr addrspace(2) %table) {
  %a = load volatile float, ptr addrspace(2) %table, align 4
  ret float %a
}

; Work-items write all other memory, and a generic pointer may lead there.
; CHECK-LABEL: define float @others
; CHECK-NOT: invariant.load
; CHECK: ret float
define float @others(ptr %private, ptr addrspace(1) readonly %global, ptr addrspace(3) %local, ptr addrspace(4) %any) {
  %a = load float, ptr %private, align 4
  %b = load float, ptr addrspace(1) %global, align 4
  %c = load float, ptr addrspace(3) %local, align 4
  %d = load float, ptr addrspace(4) %any, align 4
  %e = fadd float %a, %b
  %f = fadd float %c, %d
  %g = fadd float %e, %f
  ret float %g
}

; CHECK: ![[EMPTY]] = !{}
