; Kernels whose rows share no memory are marked: the device then executes whole rows.
; RUN: %clarity opt --passes='specialize-shape<64x8x1>,work-item-loops,lower-switch,loop-simplify,lcssa,packets' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; CHECK: define void @copy({{.*}}) [[APART:#[0-9]+]]
define void @copy(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %pitch) {
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nsw i64 %y, %pitch
  %at = add nsw i64 %row, %x
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %at
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %at
  %value = load i32, ptr addrspace(1) %from
  store i32 %value, ptr addrspace(1) %to
  ret void
}

; Rows above and below are read, too.
; CHECK: define void @stencil({{.*}}) [[SHARED:#[0-9]+]]
define void @stencil(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %pitch) {
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nsw i64 %y, %pitch
  %at = add nsw i64 %row, %x
  %below = add nsw i64 %at, %pitch
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %at
  %other = getelementptr i32, ptr addrspace(1) %in, i64 %below
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %at
  %first = load i32, ptr addrspace(1) %from
  %second = load i32, ptr addrspace(1) %other
  %value = add i32 %first, %second
  store i32 %value, ptr addrspace(1) %to
  ret void
}

; All rows read the same.
; CHECK: define void @same({{.*}}) [[SHARED]]
define void @same(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %pitch) {
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nsw i64 %y, %pitch
  %at = add nsw i64 %row, %x
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %x
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %at
  %value = load i32, ptr addrspace(1) %from
  store i32 %value, ptr addrspace(1) %to
  ret void
}

; Neighbours in a row write far from each other: lines of the cache are completed by the next rows.
; CHECK: define void @transpose({{.*}}) [[TURNED:#[0-9]+]]
define void @transpose(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %pitch) {
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nsw i64 %y, %pitch
  %at = add nsw i64 %row, %x
  %column = mul nsw i64 %x, %pitch
  %there = add nsw i64 %column, %y
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %at
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %there
  %value = load i32, ptr addrspace(1) %from
  store i32 %value, ptr addrspace(1) %to
  ret void
}

; CHECK: attributes [[APART]] = {{.*}}"clarity-separate-rows"="yes"
; CHECK-NOT: "clarity-separate-rows"
