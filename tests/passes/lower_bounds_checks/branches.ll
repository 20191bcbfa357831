; All expectations of a function lead to one block that leaves the slice.
; RUN: %clarity opt --passes=lower-bounds-checks %s -o - | FileCheck %s
declare void @__clarity_expect_below(i64, i64) #0

; CHECK-LABEL: define void @two
; CHECK: [[FIRST:%.*]] = icmp ult i64 %a, %n
; CHECK-NEXT: br i1 [[FIRST]], label %[[ON:.*]], label %outside, !prof
; CHECK: [[ON]]:
; CHECK-NEXT: [[SECOND:%.*]] = icmp ult i64 %b, %n
; CHECK-NEXT: br i1 [[SECOND]], label %{{.*}}, label %outside, !prof
; CHECK: store i32
; CHECK: outside:
; CHECK-NEXT: call void @__clarity_leave_slice()
; CHECK-NEXT: unreachable
define void @two(ptr %p, i64 %a, i64 %b, i64 %n) {
  call void @__clarity_expect_below(i64 %a, i64 %n)
  call void @__clarity_expect_below(i64 %b, i64 %n)
  store i32 1, ptr %p
  ret void
}

; CHECK-LABEL: define void @always
; CHECK-NEXT: store
define void @always(ptr %p) {
  call void @__clarity_expect_below(i64 3, i64 4)
  store i32 1, ptr %p
  ret void
}

; CHECK: declare void @__clarity_leave_slice() #[[EXIT:.*]]
; CHECK: attributes #[[EXIT]] = { cold noreturn nounwind }
attributes #0 = { nounwind memory(none) }
