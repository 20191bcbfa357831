; What the ends of the loops over work-items say: indices in 32 bits that cannot wrap keep their strides when extended.
; RUN: %clarity opt --passes='specialize-shape<256x1x1>,work-item-loops,loop-simplify,print<variance>' %s -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; CHECK: variance of 'k'
define void @k(ptr addrspace(1) %a, i32 %n) {
  %x = call i64 @__clarity_local_id(i32 0)
  %x32 = trunc i64 %x to i32
; Never below zero as the group has 256 work-items.
; CHECK: %back.wide: varies in x, stride x=-1
  %back = sub i32 255, %x32
  %back.wide = zext i32 %back to i64
; Below zero for the last of them.
; CHECK: %below.wide: varies in x, stride x=?
  %below = sub i32 254, %x32
  %below.wide = zext i32 %below to i64
; CHECK: %scaled.wide: varies in x, stride x=12
  %scaled = mul i32 %x32, 12
  %more = add i32 %scaled, 5
  %scaled.wide = zext i32 %more to i64
; Up to where int ends, and one further.
; CHECK: %last.wide: varies in x, stride x=1
  %last = add i32 %x32, 2147483392
  %last.wide = sext i32 %last to i64
; CHECK: %beyond.wide: varies in x, stride x=?
  %beyond = add i32 %x32, 2147483393
  %beyond.wide = sext i32 %beyond to i64
; %n is unknown.
; CHECK: %other.wide: varies in x, stride x=?
  %other = sub i32 %n, %x32
  %other.wide = zext i32 %other to i64
; The group ends at 256; half of it does not.
; CHECK: %same: varies in x, stride x=1
  %same = and i64 %x, 255
; CHECK: %half: varies in x, stride x=?
  %half = and i64 %x, 127
  %twice = shl i64 %x, 1
; CHECK: %even: varies in x, stride x=2
  %even = and i64 %twice, -2
; CHECK: %fourth: varies in x, stride x=?
  %fourth = and i64 %twice, -4
  %sum0 = add i64 %same, %half
  %sum01 = add i64 %even, %fourth
  %sum02 = add i64 %sum0, %sum01
  store i64 %sum02, ptr addrspace(1) %a
  %sum1 = add i64 %back.wide, %below.wide
  %sum2 = add i64 %scaled.wide, %last.wide
  %sum3 = add i64 %beyond.wide, %other.wide
  %sum4 = add i64 %sum1, %sum2
  %sum = add i64 %sum3, %sum4
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %x
  store i64 %sum, ptr addrspace(1) %p
  ret void
}
