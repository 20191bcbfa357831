; The second part of `x >= n && (ulong)(x - n) < m`, for which LLVM knows that the difference does not wrap: for the
; first work-items it does, so that it gives the loop no bound.
; RUN: %clarity opt --passes='work-item-loops,narrow-indices,fold-guards' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: define void @difference
; CHECK: entry:
; CHECK: %less = icmp ult i64
; CHECK: br i1 %{{.*}}, label %then, label %end
define void @difference(ptr addrspace(1) %a, i32 %n, i64 %m) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  %c = icmp uge i32 %x, %n
  %from = sub nuw i32 %x, %n
  %wide = zext i32 %from to i64
  %less = icmp ult i64 %wide, %m
  %both = select i1 %c, i1 %less, i1 false
  br i1 %both, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}
