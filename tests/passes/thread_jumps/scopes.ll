; SPDX-License-Identifier: Apache-2.0
; Ways that meet in a block of phis, which chooses by where they come from, go on directly.
; RUN: %clarity opt --verify-each --passes=thread-jumps %s -o - | FileCheck %s

; A loop over atoms: `break` on a uniform condition, and a side that only some work-items take, leave one scope.
; CHECK-LABEL: define void @leaves(
; CHECK: body:
; CHECK: br i1 %none, label %[[OUT:.*]], label %atom
; CHECK: atom:
; CHECK: br i1 %near, label %add, label %[[SKIPPED:.*]]
; CHECK: add:
; CHECK: br label %[[ADDED:.*]]
; CHECK: [[OUT]]:
; CHECK-NEXT: br label %end
; CHECK-NOT: switch
; CHECK: next: {{.*}}preds = %[[SKIPPED]], %[[ADDED]]
; CHECK-NEXT: phi float [ %sum, %[[SKIPPED]] ], [ %more.sum, %[[ADDED]] ]
; CHECK: end: {{.*}}preds = %[[OUT]], %head
; CHECK-NEXT: store float %sum
define void @leaves(ptr addrspace(3) %atoms, ptr addrspace(1) %out, float %x, float %cut) {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %sum = phi float [ 0.0, %entry ], [ %behind, %next ]
  %more = icmp ult i32 %i, 8
  br i1 %more, label %body, label %end

body:
  %place = getelementptr float, ptr addrspace(3) %atoms, i32 %i
  %charge = load float, ptr addrspace(3) %place
  %none = fcmp oeq float %charge, 0.0
  br i1 %none, label %scope, label %atom

atom:
  %d = fsub float %charge, %x
  %near = fcmp olt float %d, %cut
  br i1 %near, label %add, label %scope

add:
  %more.sum = fadd float %sum, %d
  br label %scope

scope:
  %to = phi i32 [ 11, %body ], [ 0, %add ], [ 0, %atom ]
  %behind = phi float [ %sum, %body ], [ %more.sum, %add ], [ %sum, %atom ]
  switch i32 %to, label %never [ i32 0, label %next
                                 i32 11, label %end ]

next:
  %i.next = add i32 %i, 1
  br label %head

never:
  unreachable

end:
  %result = phi float [ %sum, %head ], [ %behind, %scope ]
  store float %result, ptr addrspace(1) %out
  ret void
}

; What is not known stays behind the block; a scope in a scope is left as a whole.
; CHECK-LABEL: define i32 @scopes(
; CHECK: first:
; CHECK-NEXT: br i1 %a, label %[[INNER:.*]], label %second
; CHECK: [[INNER]]:
; CHECK-NEXT: br label %[[OUTER:.*]]
; CHECK: inner: {{.*}}preds = %second
; CHECK: switch i32 %to, label %outer [
; CHECK: [[OUTER]]:
; CHECK-NEXT: br label %done
; CHECK: done:
; CHECK-NEXT: phi i32 [ 5, %[[OUTER]] ], [ {{.*}}, %outer ]
define i32 @scopes(i1 %a, i32 %c) {
first:
  br i1 %a, label %inner, label %second

second:
  br label %inner

inner:
  %to = phi i32 [ 1, %first ], [ %c, %second ]
  %value = phi i32 [ 5, %first ], [ %c, %second ]
  switch i32 %to, label %outer [ i32 0, label %on ]

outer:
  %to.outer = phi i32 [ %to, %inner ], [ 0, %on ]
  switch i32 %to.outer, label %left [ i32 1, label %done ]

on:
  br label %outer

done:
  ret i32 %value

left:
  ret i32 0
}

; Near misses: a block with an operation of its own, and the header of a loop.
; CHECK-LABEL: define i32 @works(
; CHECK: meet:{{.*}}preds = %two, %one
; CHECK: %work = add i32 %c, 1
define i32 @works(i1 %a, i32 %c) {
  br i1 %a, label %one, label %two

one:
  br label %meet

two:
  br label %meet

meet:
  %to = phi i32 [ 0, %one ], [ 1, %two ]
  %work = add i32 %c, 1
  switch i32 %to, label %left [ i32 0, label %right ]

left:
  ret i32 %work

right:
  ret i32 0
}

; `a && b`: one condition.
; CHECK-LABEL: define i32 @both(
; CHECK: meet:{{.*}}preds = %second, %first
; CHECK-NEXT: phi i1
define i32 @both(i1 %a, i32 %c) {
first:
  br i1 %a, label %second, label %meet

second:
  %b = icmp slt i32 %c, 4
  br label %meet

meet:
  %and = phi i1 [ false, %first ], [ %b, %second ]
  br i1 %and, label %left, label %right

left:
  ret i32 1

right:
  ret i32 0
}

; CHECK-LABEL: define void @header(
; CHECK: loop:{{.*}}preds = %loop, %entry
; CHECK: %go = phi i1 [ true, %entry ], [ %a, %loop ]
define void @header(i1 %a) {
entry:
  br label %loop

loop:
  %go = phi i1 [ true, %entry ], [ %a, %loop ]
  br i1 %go, label %loop, label %end

end:
  ret void
}
