; Strides follow ids through casts, multiplication by constants and addresses; each dimension has its own.
; RUN: %clarity opt --passes='print<variance>' %s -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @__clarity_global_id(i32)
declare i64 @__clarity_local_id(i32)
declare i64 @__clarity_local_size(i32)

; CHECK: variance of 'k'
define void @k(ptr addrspace(1) %a, i32 %n) {
; CHECK: %x: varies in x, stride x=1
  %x = call i64 @__clarity_global_id(i32 0)
; CHECK: %y: varies in y, stride y=1
  %y = call i64 @__clarity_global_id(i32 1)
; CHECK: %size: uniform
  %size = call i64 @__clarity_local_size(i32 0)
; CHECK: %x32: varies in x, stride x=1
  %x32 = trunc i64 %x to i32
; CHECK: %y32: varies in y, stride y=1
  %y32 = trunc i64 %y to i32
; CHECK: %row: varies in y, stride y=?
  %row = mul nsw i32 %y32, %n
; CHECK: %at: varies in xy, stride x=1 y=?
  %at = add nsw i32 %row, %x32
; CHECK: %wide: varies in xy, stride x=1 y=?
  %wide = sext i32 %at to i64
; CHECK: %p: varies in xy, stride x=4 y=?
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
; CHECK: %v: varies in xy
  %v = load float, ptr addrspace(1) %p
; CHECK: %first: uniform
  %first = load float, ptr addrspace(1) %a
; CHECK: %back: varies in x, stride x=-1
  %back = sub nsw i64 %size, %x
; CHECK: %double: varies in x, stride x=8
  %double = shl nsw i64 %x, 3
; CHECK: %wraps: varies in x, stride x=?
  %sum = add i32 %x32, %n
  %wraps = sext i32 %sum to i64
  store i64 %wraps, ptr addrspace(1) %a
; CHECK: %masked: varies in x, stride x=1
  %masked = and i64 %x, 4294967295
; CHECK: %narrowed: varies in x, stride x=1
  %up = shl i64 %x, 32
  %narrowed = ashr exact i64 %up, 32
; CHECK: %low: varies in x, stride x=?
  %low = and i64 %x, 7
; CHECK: %rest: varies in x, stride x=?
  %rest = urem i64 %x, 7
  ret void
}
