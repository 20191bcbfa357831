; RUN: %clarity opt --passes='specialize-shape<16x8x1>' %s -o - | FileCheck %s
declare i64 @__clarity_local_size(i32)
declare i64 @__clarity_enqueued_local_size(i32)

; CHECK-LABEL: define i64 @k
; CHECK: add i64 16, 8
; CHECK: "clarity-local-size-0"="16"
define i64 @k() {
  %x = call i64 @__clarity_local_size(i32 0)
  %y = call i64 @__clarity_enqueued_local_size(i32 1)
  %s = add i64 %x, %y
  ret i64 %s
}
