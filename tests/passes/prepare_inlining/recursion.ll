; What calls itself cannot become part of anything.
; RUN: %clarity opt --passes=prepare-inlining %s -o - | FileCheck %s
declare i64 @__clarity_global_id(i32)

; CHECK: define internal i64 @again() {
define internal i64 @again() {
  %x = call i64 @__clarity_global_id(i32 0)
  %a = call i64 @through()
  ret i64 %a
}

define internal i64 @through() {
  %a = call i64 @again()
  ret i64 %a
}

define void @kernel() {
  %a = call i64 @again()
  ret void
}
