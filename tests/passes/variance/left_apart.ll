; What is the same in every turn of a loop differs outside it if work-items leave in different turns: in a branch that asks for
; it directly, and out of loops with two entries, too.
; RUN: %clarity opt --passes='print<variance>' %s -o /dev/null 2>&1 | FileCheck %s
declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: variance of 'branch'
define void @branch(ptr addrspace(1) %a) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  br label %loop
; CHECK: %late: uniform
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %late = phi i1 [ false, %entry ], [ true, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %x
  br i1 %more, label %loop, label %after
after:
  br i1 %late, label %some, label %end
; CHECK: block %some: divergent, varies in x
some:
  store i32 1, ptr addrspace(1) %a
  br label %end
; CHECK: block %end{{$}}
end:
  ret void
}

; CHECK-LABEL: variance of 'irreducible'
define i64 @irreducible(i1 %c) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  br i1 %c, label %first, label %second
; CHECK: %e: uniform
first:
  %e = phi i64 [ 0, %entry ], [ %j, %second ]
  br label %second
; CHECK: %j: uniform
second:
  %i = phi i64 [ 0, %entry ], [ %e, %first ]
  %j = add i64 %i, 2
  %more = icmp ult i64 %j, %x
  br i1 %more, label %first, label %end
; CHECK: block %end{{$}}
; CHECK: %result: varies in x, stride x=?
end:
  %result = add i64 %j, 1
  ret i64 %result
}
