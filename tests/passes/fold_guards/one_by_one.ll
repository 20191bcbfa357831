; Conditions one behind the other: when the first is gone, the second bounds what it left.
; RUN: %clarity opt --passes='work-item-loops,narrow-indices,fold-guards' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)
declare i64 @__clarity_global_id(i32)

; CHECK-LABEL: define void @both
; CHECK: region0.begin:
; CHECK: entry:
; CHECK-NOT: br i1
; CHECK: br label %second
; CHECK: second:
; CHECK-NOT: br i1
; CHECK: br label %then
define void @both(ptr addrspace(1) %a, i64 %n, i64 %m) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %c = icmp ult i64 %x, %n
  br i1 %c, label %second, label %end
second:
  %y = call i64 @__clarity_global_id(i32 1)
  %d = icmp ult i64 %y, %m
  br i1 %d, label %then, label %end
then:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  %q = getelementptr float, ptr addrspace(1) %p, i64 %y
  store float 1.0, ptr addrspace(1) %q
  br label %end
end:
  ret void
}

; Two lower bounds along x: it begins at the larger of the two.
; CHECK-LABEL: define void @lower
; CHECK: region0.before:
; CHECK: %[[FIRST:[0-9]+]] = trunc i64 %{{.*}} to i32
; CHECK: %[[SECOND:[0-9]+]] = trunc i64 %{{.*}} to i32
; CHECK: %[[BEGIN:.*]] = call i32 @llvm.umax.i32(i32 %[[SECOND]], i32 %[[FIRST]])
; CHECK: region0.x:
; CHECK: phi i32 [ %[[BEGIN]],
define void @lower(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %id = trunc i64 %x to i32
  %c = icmp sge i32 %id, %n
  br i1 %c, label %second, label %end
second:
  %d = icmp sge i32 %id, %m
  br i1 %d, label %then, label %end
then:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; A condition that stays is not taken to pieces again and again.
; CHECK-LABEL: define void @stays
; CHECK-COUNT-1: some.items
; CHECK: entry:
; CHECK: br i1
define void @stays(ptr addrspace(1) %a, i64 %n, i1 %e) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %c = icmp ult i64 %x, %n
  %w = and i64 %x, 5
  %o = icmp ne i64 %w, 4
  %d = and i1 %c, %o
  br i1 %d, label %then, label %end
then:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; Behind a condition that others fail, an id added to what is the same for all cannot have wrapped for those who ask.
; CHECK-LABEL: define void @guarded
; CHECK: entry:
; CHECK: br label %then
define void @guarded(ptr addrspace(1) %a, i32 %first, i32 %n, i32 %m) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %id = trunc i64 %x to i32
  %c = icmp ult i32 %id, %m
  %i = add nuw nsw i32 %first, %id
  %d = icmp ult i32 %i, %n
  %e = select i1 %c, i1 %d, i1 false
  br i1 %e, label %then, label %end
then:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
