; RUN: %clarity opt --passes=prepare-barriers %s -o - | FileCheck %s
declare void @__clarity_barrier(i32)

define void @k(ptr %p, i1 %c) {
; CHECK-LABEL: define void @k
; CHECK: store i32 1
; CHECK-NEXT: call void @__clarity_barrier(i32 1)
; CHECK-NEXT: br label %[[AFTER:.*]]
; CHECK: [[AFTER]]:
; CHECK-NEXT: store i32 2
  store i32 1, ptr %p
  call void @__clarity_barrier(i32 1)
  store i32 2, ptr %p
  br i1 %c, label %then, label %end
then:
  store i32 3, ptr %p
  br label %end
; Each way to the return gets a return of its own.
; CHECK-COUNT-2: ret void
end:
  ret void
}
