; Guards whose work-items have something to do all the same keep their loops as they are.
; RUN: %clarity opt --passes='work-item-loops,narrow-indices,fold-guards' %s -o - | FileCheck %s --implicit-check-not=some.items
declare i64 @__clarity_local_id(i32)

; The other way has an effect.
; CHECK-LABEL: define void @other
; CHECK: br i1 %c, label %then, label %else
define void @other(ptr addrspace(1) %a, i64 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %c = icmp ult i64 %x, %n
  br i1 %c, label %then, label %else
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
else:
  store float 2.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; What comes behind the guard has one.
; CHECK-LABEL: define void @behind
; CHECK: br i1 %c, label %then, label %end
define void @behind(ptr addrspace(1) %a, i64 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %c = icmp ult i64 %x, %n
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  store float 2.0, ptr addrspace(1) %p
  ret void
}

; What comes ahead of it has one.
; CHECK-LABEL: define void @ahead
; CHECK: br i1 %c, label %then, label %end
define void @ahead(ptr addrspace(1) %a, i64 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  store float 2.0, ptr addrspace(1) %p
  %c = icmp ult i64 %x, %n
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; One of two conditions is enough: neither bounds the loop.
; CHECK-LABEL: define void @either
; CHECK: br i1 %c, label %then, label %end
define void @either(ptr addrspace(1) %a, i64 %n, i64 %m) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %low = icmp ult i64 %x, %n
  %high = icmp ugt i64 %x, %m
  %c = or i1 %low, %high
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; The bound differs between work-items.
; CHECK-LABEL: define void @varies
; CHECK: br i1 %c, label %then, label %end
define void @varies(ptr addrspace(1) %a) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %x
  %n = load i64, ptr addrspace(1) %p
  %c = icmp ult i64 %x, %n
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}
