; What is expected of all lanes is looked at in the first and the last lane where it grows from lane to lane, once where
; it is uniform, and in every active lane otherwise.
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,packets<4x1x1>' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)
declare void @__clarity_expect_below(i64, i64) #0

; CHECK-LABEL: define void @affine
; CHECK: [[FIRST:%.*]] = mul i64 %{{.*}}, 12
; CHECK: call void @__clarity_expect_below(i64 [[FIRST]], i64 %room)
; CHECK: [[LAST:%.*]] = add i64 [[FIRST]], 36
; CHECK: call void @__clarity_expect_below(i64 [[LAST]], i64 %room)
define void @affine(ptr addrspace(1) %a, i64 %room) {
  %id = call i64 @__clarity_global_id(i32 0)
  %offset = mul i64 %id, 12
  call void @__clarity_expect_below(i64 %offset, i64 %room)
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %offset
  store i32 1, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @uniform
; CHECK: call void @__clarity_expect_below(i64 %offset, i64 %room)
; CHECK-NOT: call void @__clarity_expect_below(i64 %offset, i64 %room)
; CHECK: store <4 x i32>
define void @uniform(ptr addrspace(1) %a, i64 %offset, i64 %room) {
  %id = call i64 @__clarity_global_id(i32 0)
  call void @__clarity_expect_below(i64 %offset, i64 %room)
  %from = getelementptr i8, ptr addrspace(1) %a, i64 %offset
  %value = load i32, ptr addrspace(1) %from
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %id
  store i32 %value, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @gathered
; CHECK: [[OFFSETS:%.*]] = shl <4 x i64>
; CHECK: [[ABOVE:%.*]] = icmp uge <4 x i64> [[OFFSETS]],
; CHECK: [[BITS:%.*]] = bitcast <4 x i1> [[ABOVE]] to i4
; CHECK: [[ANY:%.*]] = icmp ne i4 [[BITS]], 0
; CHECK: [[WRONG:%.*]] = zext i1 [[ANY]] to i64
; CHECK: call void @__clarity_expect_below(i64 [[WRONG]], i64 1)
define void @gathered(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %room) {
  %id = call i64 @__clarity_global_id(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %a, i64 %id
  %index = load i64, ptr addrspace(1) %at
  %offset = shl i64 %index, 2
  call void @__clarity_expect_below(i64 %offset, i64 %room)
  %from = getelementptr i8, ptr addrspace(1) %b, i64 %offset
  %value = load i32, ptr addrspace(1) %from
  %p = getelementptr i32, ptr addrspace(1) %b, i64 %id
  store i32 %value, ptr addrspace(1) %p
  ret void
}

; Lanes that do not access memory may have any offset.
; CHECK-LABEL: define void @guarded
; CHECK: [[ABOVE:%.*]] = icmp uge <4 x i64>
; CHECK: [[KNOWN:%.*]] = freeze <4 x i1> [[ABOVE]]
; CHECK: [[WRONG:%.*]] = and <4 x i1> [[KNOWN]],
; CHECK: bitcast <4 x i1> [[WRONG]] to i4
define void @guarded(ptr addrspace(1) %a, i64 %room) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %a, i64 %id
  %value = load i32, ptr addrspace(1) %at
  %some = icmp sgt i32 %value, 0
  br i1 %some, label %use, label %end
use:
  %offset = mul i64 %id, 12
  call void @__clarity_expect_below(i64 %offset, i64 %room)
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %offset
  store i32 1, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

attributes #0 = { nounwind memory(none) }
