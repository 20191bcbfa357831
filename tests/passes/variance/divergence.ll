; A condition that varies makes what it decides vary: blocks, joins, and what leaves a loop in different iterations.
; RUN: %clarity opt --passes='print<variance>' %s -o /dev/null 2>&1 | FileCheck %s
declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: variance of 'join'
define void @join(i64 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %c = icmp ult i64 %x, %n
  br i1 %c, label %then, label %end
; CHECK: block %then: divergent, varies in x
then:
  br label %end
; CHECK: block %end{{$}}
end:
; CHECK: %v: varies in x
  %v = phi i64 [ 1, %then ], [ 2, %entry ]
  ret void
}

; CHECK-LABEL: variance of 'uniform_join'
define void @uniform_join(i64 %n) {
entry:
  %c = icmp ult i64 %n, 5
  br i1 %c, label %then, label %end
; CHECK: block %then{{$}}
then:
  br label %end
end:
; CHECK: %v: uniform
  %v = phi i64 [ 1, %then ], [ 2, %entry ]
  ret void
}

; The counter is the same for all who are still in the loop, but not behind it.
; CHECK-LABEL: variance of 'temporal'
define i64 @temporal() {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  br label %loop
; CHECK: block %loop: divergent, varies in x
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %x
  br i1 %more, label %loop, label %end
end:
; CHECK: %out: varies in x
  %out = phi i64 [ %i, %loop ]
  ret i64 %out
}

; Private memory holds anything; local memory at one address holds one value.
; CHECK-LABEL: variance of 'memory'
define void @memory(ptr addrspace(3) %t) {
  %p = alloca i32
; CHECK: %mine: varies in xyz
  %mine = load i32, ptr %p
; CHECK: %ours: uniform
  %ours = load i32, ptr addrspace(3) %t
; CHECK: %old: varies in xyz
  %old = atomicrmw add ptr addrspace(3) %t, i32 1 seq_cst
  ret void
}
