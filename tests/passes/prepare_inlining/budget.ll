; A tree of calls: functions that would make the kernel too large stay, unless they wait at a barrier.
; RUN: %clarity opt --passes='prepare-inlining<5000>' %s -o - | FileCheck %s --check-prefixes=CHECK,TIGHT
; RUN: %clarity opt --passes=prepare-inlining %s -o - | FileCheck %s --check-prefixes=CHECK,WIDE
declare i64 @__clarity_global_id(i32)
declare void @__clarity_barrier(i32)

; CHECK: define internal i64 @leaf() #[[IN:[0-9]+]] {
define internal i64 @leaf() {
  %x = call i64 @__clarity_global_id(i32 0)
  ret i64 %x
}

; CHECK: define internal i64 @level1() #[[IN]] {
define internal i64 @level1() {
  %a0 = call i64 @leaf()
  %a1 = call i64 @leaf()
  %a2 = call i64 @leaf()
  %a3 = call i64 @leaf()
  %a4 = call i64 @leaf()
  %a5 = call i64 @leaf()
  %a6 = call i64 @leaf()
  %a7 = call i64 @leaf()
  ret i64 %a0
}

; CHECK: define internal i64 @level2() #[[IN]] {
define internal i64 @level2() {
  %a0 = call i64 @level1()
  %a1 = call i64 @level1()
  %a2 = call i64 @level1()
  %a3 = call i64 @level1()
  %a4 = call i64 @level1()
  %a5 = call i64 @level1()
  %a6 = call i64 @level1()
  %a7 = call i64 @level1()
  ret i64 %a0
}

; TIGHT: define internal i64 @level3() {
; WIDE: define internal i64 @level3() #[[IN]] {
define internal i64 @level3() {
  %a0 = call i64 @level2()
  %a1 = call i64 @level2()
  %a2 = call i64 @level2()
  %a3 = call i64 @level2()
  %a4 = call i64 @level2()
  %a5 = call i64 @level2()
  %a6 = call i64 @level2()
  %a7 = call i64 @level2()
  ret i64 %a0
}

; CHECK: define internal i64 @level4() #[[IN]] {
define internal i64 @level4() {
  %a0 = call i64 @level3()
  %a1 = call i64 @level3()
  %a2 = call i64 @level3()
  %a3 = call i64 @level3()
  %a4 = call i64 @level3()
  %a5 = call i64 @level3()
  %a6 = call i64 @level3()
  %a7 = call i64 @level3()
  ret i64 %a0
}

; What waits must be inlined, large or not.
; CHECK: define internal i64 @waits() #[[IN]] {
define internal i64 @waits() {
  %a00 = call i64 @level2()
  %a01 = call i64 @level2()
  %a02 = call i64 @level2()
  %a03 = call i64 @level2()
  %a04 = call i64 @level2()
  %a05 = call i64 @level2()
  %a06 = call i64 @level2()
  %a07 = call i64 @level2()
  %a10 = call i64 @level2()
  %a11 = call i64 @level2()
  %a12 = call i64 @level2()
  %a13 = call i64 @level2()
  %a14 = call i64 @level2()
  %a15 = call i64 @level2()
  %a16 = call i64 @level2()
  %a17 = call i64 @level2()
  call void @__clarity_barrier(i32 1)
  ret i64 %a00
}

define void @kernel() {
  %a = call i64 @level4()
  %b = call i64 @level4()
  %c = call i64 @waits()
  ret void
}
; CHECK: attributes #[[IN]] = { alwaysinline }
