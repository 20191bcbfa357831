; A switch that never takes its default has its last case for it.
; RUN: %clarity opt --passes='prepare-barriers' %s -o - | FileCheck %s
declare void @__clarity_barrier(i32)

; CHECK-LABEL: define i32 @three
; CHECK: switch i32 %n, label %[[LAST:.*]] [
; CHECK-NEXT: i32 0, label
; CHECK-NEXT: i32 1, label
; CHECK-NEXT: ]
; CHECK-NOT: unreachable
; CHECK: [[LAST]]:
; CHECK-NEXT: br label %end
; CHECK: end:
; CHECK: ret i32
define i32 @three(i32 %n) {
entry:
  call void @__clarity_barrier(i32 1)
  switch i32 %n, label %never [
    i32 0, label %first
    i32 1, label %second
    i32 2, label %third
  ]
never:
  unreachable
first:
  br label %end
second:
  br label %end
third:
  br label %end
end:
  %r = phi i32 [ 5, %first ], [ 6, %second ], [ 7, %third ]
  ret i32 %r
}

; A default that is taken stays.
; CHECK-LABEL: define void @default
; CHECK: switch i32 %n, label %other
; CHECK-NEXT: i32 0, label
; CHECK-NEXT: i32 1, label
define void @default(i32 %n) {
  call void @__clarity_barrier(i32 1)
  switch i32 %n, label %other [
    i32 0, label %first
    i32 1, label %first
  ]
other:
  ret void
first:
  ret void
}
