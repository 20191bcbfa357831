; Kernels whose rows share no memory are marked: the device then executes whole rows.
; RUN: %clarity opt --passes='specialize-shape<64x8x1>,work-item-loops,lower-switch,loop-simplify,lcssa,packets' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)
declare void @elsewhere(ptr addrspace(1)) nounwind willreturn

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

; Neighbours in a row access lines of their own.
; CHECK: define void @spread({{.*}}) [[SHARED]]
define void @spread(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %pitch) {
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nsw i64 %y, %pitch
  %far = mul nsw i64 %x, 32
  %at = add nsw i64 %row, %far
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %at
  store i32 1, ptr addrspace(1) %to
  ret void
}

; A loop of the work-item steps through its memory, a line at a time.
; CHECK: define void @loop({{.*}}) [[SHARED]]
define void @loop(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %pitch) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nsw i64 %y, %pitch
  %first = add nsw i64 %row, %x
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %more, %next ]
  %along = mul nsw i64 %i, 64
  %at = add nsw i64 %first, %along
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %at
  store i32 1, ptr addrspace(1) %to
  %more = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %more, %pitch
  br i1 %again, label %next, label %done
done:
  ret void
}

; Of an atomic update nothing is known.
; CHECK: define void @update({{.*}}) [[SHARED]]
define void @update(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %pitch) {
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nsw i64 %y, %pitch
  %at = add nsw i64 %row, %x
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %at
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %at
  %value = load i32, ptr addrspace(1) %from
  store i32 %value, ptr addrspace(1) %to
  %old = atomicrmw add ptr addrspace(1) %out, i32 %value monotonic
  ret void
}

; Nor of a function.
; CHECK: define void @called({{.*}}) [[SHARED]]
define void @called(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %pitch) {
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nsw i64 %y, %pitch
  %at = add nsw i64 %row, %x
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %at
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %at
  %value = load i32, ptr addrspace(1) %from
  store i32 %value, ptr addrspace(1) %to
  call void @elsewhere(ptr addrspace(1) %to)
  ret void
}

; Local memory is not what rows share.
; CHECK: define void @with_local({{.*}}) [[APART]]
define void @with_local(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %pitch, ptr addrspace(3) %own) {
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nsw i64 %y, %pitch
  %at = add nsw i64 %row, %x
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %at
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %at
  %value = load i32, ptr addrspace(1) %from
  store i32 %value, ptr addrspace(1) %to
  %mine = getelementptr i32, ptr addrspace(3) %own, i64 %x
  store i32 %value, ptr addrspace(3) %mine
  ret void
}

; What is accessed is one place for each row.
; CHECK: define void @per_row({{.*}}) [[ROWS:#[0-9]+]]
define void @per_row(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %pitch) {
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %y
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK: attributes [[APART]] = {{.*}}"clarity-separate-rows"="yes"
; CHECK-NOT: "clarity-separate-rows"
