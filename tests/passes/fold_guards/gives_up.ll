; Where a guard stays, nothing that was computed for it stays ahead of the loops.
; RUN: %clarity opt --passes='work-item-loops,narrow-indices,fold-guards' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)

; The path around the guard stores a uniform value to a variable of the work-group, and then another one to memory.
; CHECK-LABEL: define void @stores
; CHECK-NOT: freeze
; CHECK: br i1 %c, label %then, label %end
; CHECK: store i64 %seven, ptr %variable
; CHECK-NOT: freeze
; CHECK: ret void
define void @stores(ptr addrspace(1) %a, i64 %n) {
entry:
  %variable = alloca i64, !clarity.uniform.slot !0
  %x = call i64 @__clarity_local_id(i32 0)
  %c = icmp ult i64 %x, %n
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  %seven = mul i64 %n, 7
  store i64 %seven, ptr %variable
  store float 2.0, ptr addrspace(1) %a
  ret void
}

!0 = !{}
