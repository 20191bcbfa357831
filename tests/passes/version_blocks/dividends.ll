; The divisor under the guard of a division counts; one that a condition of the program chooses stays what it is.
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,narrow-indices,loop-simplify,version-blocks' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)

; CHECK-LABEL: define void @guarded
; CHECK: entry.inner:
; CHECK: udiv i32 %{{.*}}, %by.inner, !clarity.in.step
define void @guarded(ptr addrspace(1) %a, i32 %width) {
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  br label %entry
entry:
  %by = freeze i32 %width
  %zero = icmp eq i32 %by, 0
  %divisor = select i1 %zero, i32 1, i32 %by
  %row = udiv i32 %x, %divisor
  %r = zext nneg i32 %row to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %r
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @chosen
; CHECK: entry.inner:
; CHECK: udiv i32 %{{.*}}, %divisor{{.*}}, !clarity.in.step
define void @chosen(ptr addrspace(1) %a, i32 %width, i1 %flag) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %divisor = select i1 %flag, i32 1, i32 %width
  %row = udiv i32 %x, %divisor
  %r = zext nneg i32 %row to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %r
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; The dividend must stay above zero up to the end of the row, in numbers that do not wrap on the way.
; CHECK-LABEL: define void @signed
; CHECK: %[[BY:.*]] = mul i64 %{{.*}}, 1048576
; CHECK: %[[LAST:.*]] = add i64 %{{.*}}, %[[BY]]
; CHECK: icmp sle i64 %[[LAST]], 2147483647
define void @signed(ptr addrspace(1) %a, i32 %width) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %far = shl i32 %x, 20
  %by = freeze i32 %width
  %rest = srem i32 %far, %by
  %r = sext i32 %rest to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %r
  store float 1.0, ptr addrspace(1) %p
  ret void
}
