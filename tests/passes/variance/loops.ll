; Loops with different trip counts in different work-items, or that some do not run at all.
; RUN: %clarity opt --passes='print<variance>' %s -o /dev/null 2>&1 | FileCheck %s
declare i64 @__clarity_local_id(i32)

; Those who run a loop inside a divergent branch run it together: its counter stays uniform, its branch too.
; CHECK-LABEL: variance of 'inside'
define void @inside(i32 %n, i64 %m) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %c = icmp ult i64 %x, %m
  br i1 %c, label %before, label %end
before:
  br label %loop
; CHECK: block %loop: divergent, varies in x
; CHECK: %i: uniform
; CHECK: %next: uniform
; CHECK: %more: uniform
; CHECK: block %end{{$}}
loop:
  %i = phi i32 [ 0, %before ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Inside a loop that work-items leave in different iterations neighbours have consecutive values; behind it nothing is known.
; CHECK-LABEL: variance of 'leaves'
define i64 @leaves(ptr addrspace(1) %a, i64 %m) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  br label %loop
; CHECK: block %loop: divergent, varies in x
; CHECK: %at: varies in x, stride x=1
; CHECK: %next: varies in x, stride x=1
loop:
  %at = phi i64 [ %x, %entry ], [ %next, %loop ]
  %next = add i64 %at, %m
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %at
  %v = load i64, ptr addrspace(1) %p
  %more = icmp ult i64 %v, 5
  br i1 %more, label %loop, label %end
; CHECK: block %end
; CHECK: %last: varies in x, stride x=?
end:
  %last = phi i64 [ %at, %loop ]
  ret i64 %last
}

; %meet is on every way out of the branch, but some work-items get there a turn of the loop later than others: nothing
; of the loop is the same for all, not even what counts its turns.
; CHECK-LABEL: variance of 'later'
define void @later(ptr addrspace(1) %a, i64 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  br label %loop
; CHECK: block %loop: divergent, varies in x
; CHECK: %i: varies in x
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %again ], [ %after, %meet ]
  %next = add i64 %i, 1
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %x
  %v = load i64, ptr addrspace(1) %p
  %c = icmp ult i64 %v, %i
  br i1 %c, label %again, label %meet
again:
  br label %loop
; CHECK: block %meet: divergent, varies in x
; CHECK: %after: varies in x
meet:
  %after = add i64 %i, 2
  %more = icmp ult i64 %after, %n
  br i1 %more, label %loop, label %end
; CHECK: block %end{{$}}
end:
  ret void
}

; The same shape where all who part meet in the same turn.
; CHECK-LABEL: variance of 'together'
define void @together(ptr addrspace(1) %a, i64 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  br label %loop
; CHECK: block %loop{{$}}
; CHECK: %i: uniform
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %meet ]
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %x
  %v = load i64, ptr addrspace(1) %p
  %c = icmp ult i64 %v, %i
  br i1 %c, label %then, label %meet
; CHECK: block %then: divergent, varies in x
then:
  store i64 %i, ptr addrspace(1) %p
  br label %meet
; CHECK: block %meet{{$}}
; CHECK: %next: uniform
meet:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Work-items that leave two loops at once take nothing from the counters of those who stay, but bring different ones out.
; CHECK-LABEL: variance of 'breaks'
define i64 @breaks(ptr addrspace(1) %a, i64 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %x
  %v = load i64, ptr addrspace(1) %p
  br label %outer
; CHECK: %i: uniform
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.next ]
  br label %inner
; CHECK: %j: uniform
; CHECK: %found: varies in x
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner.next ]
  %product = mul i64 %i, %j
  %found = icmp eq i64 %product, %v
  br i1 %found, label %end, label %inner.next
; CHECK: block %inner.next: divergent, varies in x
inner.next:
  %j.next = add i64 %j, 1
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %inner, label %outer.next
; CHECK: block %outer.next: divergent, varies in x
outer.next:
  %i.next = add i64 %i, 1
  %i.more = icmp ult i64 %i.next, %n
  br i1 %i.more, label %outer, label %end
; CHECK: block %end{{$}}
; CHECK: %result: varies in x, stride x=?
end:
  %result = phi i64 [ %j, %inner ], [ 99, %outer.next ]
  ret i64 %result
}

; The phi that counts a loop over work-items is an id; the branch that closes it is not divergent.
; CHECK-LABEL: variance of 'counter'
define void @counter(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %items
; CHECK: block %items{{$}}
; CHECK: %x: varies in y, stride y=1
; CHECK: %p: varies in y, stride y=4
items:
  %x = phi i32 [ 0, %entry ], [ %next, %items ], !clarity.counter !0
  %p = getelementptr float, ptr addrspace(1) %a, i32 %x
  store float 1.0, ptr addrspace(1) %p
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %items, label %end, !clarity.item.loop !0
; CHECK: block %end{{$}}
end:
  ret void
}
!0 = !{i32 1}
