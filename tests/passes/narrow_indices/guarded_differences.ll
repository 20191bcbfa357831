; `id - n` behind a guard that lets only ids of at least n pass is a number of int; it reaches the pass as `(id + 2^32 - n) & (2^32 - 1)`, of a query as of the counter of a loop over work-items.
; RUN: %clarity opt --passes='narrow-indices' %s -o - | FileCheck %s --check-prefixes=CHECK,CALLS
; RUN: %clarity opt --passes='work-item-loops,narrow-indices' %s -o - | FileCheck %s --check-prefixes=CHECK,LOOPS
; RUN: %clarity opt --passes='narrow-indices,work-item-loops,narrow-indices,print<variance>' %s -o /dev/null 2>&1 \
; RUN:   | FileCheck %s --check-prefix=STEPS
declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: define void @guarded
; CHECK: then:
; CALLS: %[[ID:.*]] = trunc i64 %id to i32
; CALLS: %[[D:.*]] = add nsw i32 %[[ID]], -3
; LOOPS: %[[D:.*]] = add nsw i32 %x{{[0-9]*}}, -3
; CHECK: sext i32 %[[D]] to i64
; CHECK: ret void

; The address has its stride, also for work-items that the guard excludes; where the difference may wrap it is assumed.
; STEPS: variance of 'guarded'
; STEPS-NOT: as an address
; STEPS: variance of 'too_far'
; STEPS: as an address
define void @guarded(ptr addrspace(1) %a, ptr addrspace(1) %out) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %c = icmp ugt i64 %id, 2
  br i1 %c, label %then, label %end
then:
  %sum = add i64 %id, 4294967293
  %before = and i64 %sum, 4294967295
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %before
  %v = load i32, ptr addrspace(1) %p
  br label %end
end:
  %r = phi i32 [ %v, %then ], [ 0, %entry ]
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; One less than the guard lets pass wraps for one work-item.
; CHECK-LABEL: define void @too_far
; CHECK: then:
; CHECK-NOT: add nsw
; CHECK: ret void
define void @too_far(ptr addrspace(1) %a) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %c = icmp ugt i64 %id, 2
  br i1 %c, label %then, label %end
then:
  %sum = add i64 %id, 4294967292
  %before = and i64 %sum, 4294967295
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %before
  store i32 1, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
