; Casts of values whose loops have ends that are not known.
; RUN: %clarity opt --passes='work-item-loops,print<no-wrap>' %s -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; A signed number that is negative for some work-items and not for others is not in step as an unsigned one.
; CHECK: ranges of 'crosses'
; CHECK: %crosses: any; in step signed, signed behind guards{{$}}
; CHECK: %forwards: any; in step signed, unsigned, signed behind guards, unsigned behind guards
define void @crosses(ptr addrspace(1) %a) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  %five = sub nsw i32 %x, 5
  %crosses = sext i32 %five to i64
  %forwards = sext i32 %x to i64
  store i64 %crosses, ptr addrspace(1) %a
  ret void
}

; Sums of 64 bits that fit 32 bits are truncated without harm; of a uniform value of 64 bits nothing is known.
; CHECK: ranges of 'truncated'
; CHECK: %twice: any; in step unsigned, unsigned behind guards
; CHECK: %rest: any; may wrap
define void @truncated(ptr addrspace(1) %a, i64 %n) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %wide = shl i64 %id, 1
  %twice = trunc i64 %wide to i32
  %sum = add i64 %id, %n
  %rest = trunc i64 %sum to i32
  store i32 %twice, ptr addrspace(1) %a
  ret void
}
