; Guards on (x + b) % m == r: the counter counts steps of m, from the first id with that remainder.
; RUN: %clarity opt --passes='work-item-loops,narrow-indices,fold-guards' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)

; `(x & 1) == phase`: a phase beyond 1 is no work-item's.
; CHECK-LABEL: define void @phase
; CHECK: region0.before:
; CHECK: %[[PHASE:.*]] = zext i32 %{{.*}} to i64
; CHECK: %[[EXISTS:.*]] = icmp ult i64 %[[PHASE]], 2
; CHECK: select i1 %[[EXISTS]]
; CHECK: region0.begin:
; CHECK: mul nuw i32 %{{.*}}, 2
; CHECK: entry:
; CHECK: br label %then
define void @phase(ptr addrspace(1) %a, i32 %phase) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  %bit = and i32 %x, 1
  %c = icmp eq i32 %bit, %phase
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; `x & 1`
; CHECK-LABEL: define void @odd
; CHECK: region0.begin:
; CHECK: %[[TWICE:.*]] = mul nuw i32 %{{.*}}, 2
; CHECK: add nuw i32 1, %[[TWICE]]
; CHECK: entry:
; CHECK: br label %then
define void @odd(ptr addrspace(1) %a) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  %bit = and i32 %x, 1
  %c = icmp ne i32 %bit, 0
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; `id % 2 == 1` in int is `id & 0x80000001` to LLVM; ids have no sign.
; CHECK-LABEL: define void @signed
; CHECK: region0.begin:
; CHECK: mul nuw i32 %{{.*}}, 2
; CHECK: entry:
; CHECK: br label %then
define void @signed(ptr addrspace(1) %a) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  %bits = and i32 %x, -2147483647
  %c = icmp eq i32 %bits, 1
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; `(x + colour) % 2 == 0`: lowest bits are the same whether the sum wraps or not.
; CHECK-LABEL: define void @colour
; CHECK: region0.begin:
; CHECK: mul nuw i32 %{{.*}}, 2
; CHECK: entry:
; CHECK: br label %then
define void @colour(ptr addrspace(1) %a, i32 %colour) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  %sum = add nsw i32 %x, %colour
  %bit = and i32 %sum, 1
  %c = icmp eq i32 %bit, 0
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; `(x + 1) % m == r` in int: a divisor may be negative, the remainder has the sign of the id.
; CHECK-LABEL: define void @divisor
; CHECK: region0.before:
; CHECK: call i32 @llvm.abs.i32
; CHECK: region0.begin:
; CHECK: mul nuw i32
; CHECK: entry:
; CHECK: br label %then
define void @divisor(ptr addrspace(1) %a, i32 %m, i32 %r) {
entry:
  %zero = icmp eq i32 %m, 0
  %safe = select i1 %zero, i32 1, i32 %m
  %id = call i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  %next = add nuw nsw i32 %x, 1
  %rest = srem i32 %next, %safe
  %c = icmp eq i32 %rest, %r
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}
