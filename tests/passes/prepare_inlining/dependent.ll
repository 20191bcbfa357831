; RUN: %clarity opt --passes=prepare-inlining %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)

; CHECK: define internal i64 @asks() #[[IN:[0-9]+]]
define internal i64 @asks() noinline optnone {
  %x = call i64 @__clarity_local_id(i32 0)
  ret i64 %x
}
; CHECK: define internal i64 @asks_through() #[[IN2:[0-9]+]]
define internal i64 @asks_through() {
  %x = call i64 @asks()
  ret i64 %x
}
; CHECK: define internal i64 @does_not() #[[OUT:[0-9]+]]
define internal i64 @does_not() noinline {
  ret i64 1
}
; CHECK: attributes #[[IN]] = { alwaysinline }
; CHECK: attributes #[[OUT]] = { noinline }
