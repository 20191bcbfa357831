; Local ids and group ids of a known work-group size are small; launches of 2^31 ids and more have other code.
; RUN: %clarity opt --passes='specialize-shape<16x1x1>' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)
declare i64 @__clarity_group_id(i32)
declare i64 @__clarity_global_id(i32)

; CHECK-LABEL: define i64 @k
; CHECK: call range(i64 0, 16) i64 @__clarity_local_id(i32 0)
; CHECK: call range(i64 0, 1) i64 @__clarity_local_id(i32 1)
; CHECK: call range(i64 0, 134217728) i64 @__clarity_group_id(i32 0)
; CHECK: call i64 @__clarity_global_id(i32 0)
; CHECK: call i64 @__clarity_local_id(i32 %d)
define i64 @k(i32 %d) {
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %g = call i64 @__clarity_group_id(i32 0)
  %i = call i64 @__clarity_global_id(i32 0)
  %any = call i64 @__clarity_local_id(i32 %d)
  %s = add i64 %x, %y
  %t = add i64 %g, %i
  %u = add i64 %s, %t
  %v = add i64 %u, %any
  ret i64 %v
}
