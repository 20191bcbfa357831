; What branches on the way to a block say of values there.
; RUN: %clarity opt --passes='specialize-shape<64>,work-item-loops,print<guard-facts>' %s -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,LOCAL
; RUN: %clarity opt --passes='print<guard-facts>' %s -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,CALLS
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)
declare i64 @__clarity_global_id(i32)

; Ids are below 2^31, in a work-group of 64 below 64; each edge excludes its part, of casts of the id as well. Behind the
; join nothing of it holds.
; CHECK: guard facts of 'ranges'
; LOCAL: %then: %x{{[0-9]*}} from 5 to 63
; CALLS: %then: %id from 5 to 2147483647
; LOCAL: %inner: %x{{[0-9]*}} from 5 to 59
; CALLS: %inner: %id from 5 to 59
; LOCAL: %outer: %x{{[0-9]*}} from 60 to 63
; CALLS: %outer: %id from 60 to 2147483647
; LOCAL: %else: %x{{[0-9]*}} from 0 to 4
; CALLS: %else: %id from 0 to 4
; CHECK-NOT: %join:
define void @ranges(ptr addrspace(1) %a) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  %c = icmp sgt i32 %x, 4
  br i1 %c, label %then, label %else
then:
  %d = icmp ult i64 %id, 60
  br i1 %d, label %inner, label %outer
inner:
  store i32 1, ptr addrspace(1) %a
  br label %join
outer:
  store i32 2, ptr addrspace(1) %a
  br label %join
else:
  store i32 3, ptr addrspace(1) %a
  br label %join
join:
  ret void
}

; Of other values than ids the range is not known; no id is above 2^31; an equality excludes the end of a range, but no
; number inside of it.
; CHECK: guard facts of 'others'
; CHECK-NOT: %n from
; CALLS: %never: %id none
; CALLS: %first: %id from 1 to 2147483647
; CALLS: %inside: %id from 1 to 2147483647
define void @others(ptr addrspace(1) %a, i64 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %small = icmp ult i64 %n, 10
  br i1 %small, label %argument, label %end
argument:
  %x = trunc i64 %id to i32
  %c = icmp slt i32 %x, 0
  br i1 %c, label %never, label %always
never:
  store i32 1, ptr addrspace(1) %a
  br label %end
always:
  %d = icmp eq i32 %x, 0
  br i1 %d, label %end, label %first
first:
  %e = icmp eq i64 %id, 7
  br i1 %e, label %end, label %inside
inside:
  store i32 2, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; `if ((n & 7) == 0)` and more of it below; the other edge says nothing.
; CHECK: guard facts of 'bits'
; CHECK: %multiple: %n without bits 0x7
; CHECK: %more: %n without bits 0x17
; CHECK-NOT: %less:
define void @bits(ptr addrspace(1) %a, i32 %n) {
entry:
  %low = and i32 %n, 7
  %c = icmp eq i32 %low, 0
  br i1 %c, label %multiple, label %less
multiple:
  %wide = zext i32 %n to i64
  %bit = and i64 %wide, 16
  %d = icmp ne i64 %bit, 0
  br i1 %d, label %end, label %more
more:
  store i32 1, ptr addrspace(1) %a
  br label %end
less:
  store i32 2, ptr addrspace(1) %a
  br label %end
end:
  ret void
}
