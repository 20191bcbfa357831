; A claim that rests on one which a later round weakens is derived anew, though no stride and no block changes with it.
; RUN: %clarity opt --passes='print<variance>' %s -o /dev/null 2>&1 | FileCheck %s
declare i64 @__clarity_global_id(i32)

; The branch at the end makes the loop divergent once all above it has been looked at: then the flag of %from says
; nothing of those who have left, and %at may lie on either side of a wrap.
; CHECK-LABEL: variance of 'left_behind'
; CHECK: block %loop: divergent
; CHECK: %at: varies in x, stride x=4
; CHECK: %before: varies in x
; CHECK: %wide: varies in x, stride x=1, as an address
define void @left_behind(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %first = getelementptr i32, ptr addrspace(1) %a, i64 %id
  %end.of = getelementptr i32, ptr addrspace(1) %b, i64 %id
  br label %loop
loop:
  %at = phi ptr addrspace(1) [ %first, %entry ], [ %moved, %loop ]
  %before = icmp ult ptr addrspace(1) %at, %end.of
  %flag = zext i1 %before to i32
  store i32 %flag, ptr addrspace(1) %at
  %from = sub nuw i32 %x, %n
  %wide = zext i32 %from to i64
  %moved = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  %v = load i32, ptr addrspace(1) %moved
  %more = icmp ne i32 %v, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

; All go round together: the flag holds for all of them.
; CHECK-LABEL: variance of 'together'
; CHECK: %before: uniform
; CHECK: %wide: varies in x, stride x=1{{$}}
define void @together(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n, i32 %m) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %first = getelementptr i32, ptr addrspace(1) %a, i64 %id
  %end.of = getelementptr i32, ptr addrspace(1) %b, i64 %id
  br label %loop
loop:
  %at = phi ptr addrspace(1) [ %first, %entry ], [ %moved, %loop ]
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %before = icmp ult ptr addrspace(1) %at, %end.of
  %flag = zext i1 %before to i32
  store i32 %flag, ptr addrspace(1) %at
  %from = sub nuw i32 %x, %n
  %wide = zext i32 %from to i64
  %moved = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  store i32 %k, ptr addrspace(1) %moved
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %m
  br i1 %more, label %loop, label %end
end:
  ret void
}
