; Accesses to a variable in local memory are marked with its number, as long as their addresses say which it is.
; RUN: %clarity opt --processor sm_90 --passes=name-local-accesses %s -o - | FileCheck %s
declare ptr addrspace(3) @__clarity_local_memory()

; CHECK-LABEL: define float @two
; CHECK: store float %v, ptr addrspace(3) %element, align 4, !clarity.local.variable ![[TILE:[0-9]+]]
; CHECK: load float, ptr addrspace(3) %first, align 4, !clarity.local.variable ![[TILE]]
; CHECK: load float, ptr addrspace(3) %other, align 4, !clarity.local.variable ![[OTHER:[0-9]+]]
define float @two(float %v, i64 %i) {
  %local = call ptr addrspace(3) @__clarity_local_memory()
  %tile = getelementptr inbounds i8, ptr addrspace(3) %local, i64 0
  %other = getelementptr inbounds i8, ptr addrspace(3) %local, i64 1024
  %row = getelementptr inbounds [16 x float], ptr addrspace(3) %tile, i64 %i
  %element = getelementptr inbounds float, ptr addrspace(3) %row, i64 3
  store float %v, ptr addrspace(3) %element, align 4
  %first = getelementptr inbounds i8, ptr addrspace(3) %tile, i64 64
  %a = load float, ptr addrspace(3) %first, align 4
  %b = load float, ptr addrspace(3) %other, align 4
  %sum = fadd float %a, %b
  ret float %sum
}

; A variable is named if all of its accesses are: this one is also changed where the pass does not follow its address.
; CHECK-LABEL: define float @stored
; CHECK-NOT: clarity.local.variable
; CHECK: ret float
define float @stored(ptr %place) {
  %local = call ptr addrspace(3) @__clarity_local_memory()
  %tile = getelementptr inbounds i8, ptr addrspace(3) %local, i64 0
  store ptr addrspace(3) %tile, ptr %place, align 8
  %a = load float, ptr addrspace(3) %tile, align 4
  ret float %a
}

; Either variable.
; CHECK-LABEL: define float @either
; CHECK-NOT: clarity.local.variable
; CHECK: ret float
define float @either(i1 %c) {
  %local = call ptr addrspace(3) @__clarity_local_memory()
  %tile = getelementptr inbounds i8, ptr addrspace(3) %local, i64 0
  %other = getelementptr inbounds i8, ptr addrspace(3) %local, i64 1024
  %one = select i1 %c, ptr addrspace(3) %tile, ptr addrspace(3) %other
  %a = load float, ptr addrspace(3) %one, align 4
  %b = load float, ptr addrspace(3) %tile, align 4
  %sum = fadd float %a, %b
  ret float %sum
}

; Other work-items may write it between two accesses of this one.
; CHECK-LABEL: define i32 @counted
; CHECK-NOT: clarity.local.variable
; CHECK: ret i32
define i32 @counted() {
  %local = call ptr addrspace(3) @__clarity_local_memory()
  %count = getelementptr inbounds i8, ptr addrspace(3) %local, i64 0
  %old = atomicrmw add ptr addrspace(3) %count, i32 1 monotonic
  %a = load i32, ptr addrspace(3) %count, align 4
  ret i32 %a
}

; A place that is known when the kernel runs may be in any variable; an argument has no variable.
; CHECK-LABEL: define float @unknown
; CHECK-NOT: clarity.local.variable
; CHECK: ret float
define float @unknown(i64 %i, ptr addrspace(3) %argument) {
  %local = call ptr addrspace(3) @__clarity_local_memory()
  %place = getelementptr inbounds i8, ptr addrspace(3) %local, i64 %i
  %a = load float, ptr addrspace(3) %place, align 4
  %next = getelementptr inbounds float, ptr addrspace(3) %argument, i64 1
  %b = load float, ptr addrspace(3) %next, align 4
  %sum = fadd float %a, %b
  ret float %sum
}

; CHECK-DAG: ![[TILE]] = !{i32 1}
; CHECK-DAG: ![[OTHER]] = !{i32 2}
