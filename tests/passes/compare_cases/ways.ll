; A switch between two ways is one condition: single cases are compared, consecutive ones are a range.
; RUN: %clarity opt --passes=compare-cases %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; The id itself is compared, not what LLVM has cut it to.
; CHECK-LABEL: define void @edges
; CHECK: %[[ID:.*]] = call range(i64 0, 256) i64 @__clarity_local_id(i32 0)
; CHECK-NEXT: %[[FIRST:.*]] = icmp eq i64 %[[ID]], 0
; CHECK-NEXT: %[[LAST:.*]] = icmp eq i64 %[[ID]], 255
; CHECK-NEXT: %[[EDGE:.*]] = or i1 %[[FIRST]], %[[LAST]]
; CHECK-NEXT: br i1 %[[EDGE]], label %edge, label %inside
; CHECK: edge:
; CHECK-NEXT: %v = phi float [ 1.000000e+00, %entry ]
define void @edges(ptr addrspace(1) %out) {
entry:
  %id = call range(i64 0, 256) i64 @__clarity_local_id(i32 0)
  %cut = trunc i64 %id to i8
  switch i8 %cut, label %inside [
    i8 0, label %edge
    i8 -1, label %edge
  ]
inside:
  br label %end
edge:
  %v = phi float [ 1.0, %entry ], [ 1.0, %entry ]
  store float %v, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

; A number that is cut with a loss stays as it is; weights of the cases are added.
; CHECK-LABEL: define void @ranges
; CHECK: %cut = trunc i32 %n to i8
; CHECK-NEXT: %[[LESS:.*]] = sub i8 %cut, 3
; CHECK-NEXT: %[[INSIDE:.*]] = icmp ult i8 %[[LESS]], 2
; CHECK-NEXT: %[[NINE:.*]] = icmp eq i8 %cut, 9
; CHECK-NEXT: %[[ANY:.*]] = or i1 %[[INSIDE]], %[[NINE]]
; CHECK-NEXT: br i1 %[[ANY]], label %some, label %end, !prof ![[WEIGHTS:[0-9]+]]
define void @ranges(ptr addrspace(1) %out, i32 %n) {
entry:
  %cut = trunc i32 %n to i8
  switch i8 %cut, label %end [
    i8 4, label %some
    i8 9, label %some
    i8 3, label %some
    i8 7, label %end
  ], !prof !0
some:
  store float 1.0, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @three
; CHECK: switch i32 %n
define void @three(ptr addrspace(1) %out, i32 %n) {
entry:
  switch i32 %n, label %end [
    i32 1, label %one
    i32 2, label %two
  ]
one:
  store float 1.0, ptr addrspace(1) %out
  br label %end
two:
  store float 2.0, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

!0 = !{!"branch_weights", i32 10, i32 1, i32 2, i32 3, i32 4}
; CHECK: ![[WEIGHTS]] = !{!"branch_weights", i32 6, i32 14}
