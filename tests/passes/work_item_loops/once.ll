; Regions in which no work-item differs from another run once for the group, without loops over work-items.
; RUN: %clarity opt --passes='specialize-shape<64>,prepare-barriers,save-live-values,work-item-loops' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)
declare i64 @__clarity_group_id(i32)
declare void @__clarity_barrier(i32)

; The sum between the barriers is the same for all; the stores around it are each work-item's own. LLVM may vectorise
; the loop.
; CHECK-LABEL: define void @sums
; CHECK-SAME: #[[SUMS:[0-9]+]]
; CHECK: region0.x:
; CHECK-NOT: region1.x:
; CHECK: region1.before:
; CHECK: region2.x:
define void @sums(ptr addrspace(1) %a, ptr addrspace(3) %t, ptr addrspace(3) %s) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %g = call i64 @__clarity_group_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %q = getelementptr i32, ptr addrspace(3) %t, i64 %x
  %v = load i32, ptr addrspace(1) %p
  store i32 %v, ptr addrspace(3) %q
  call void @__clarity_barrier(i32 1)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %r = getelementptr i32, ptr addrspace(3) %t, i64 %i
  %w = load i32, ptr addrspace(3) %r
  %more = add i32 %sum, %w
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 64
  br i1 %again, label %loop, label %stored
stored:
  store i32 %more, ptr addrspace(3) %s
  call void @__clarity_barrier(i32 1)
  br label %last
last:
  %total = load i32, ptr addrspace(3) %s
  store i32 %total, ptr addrspace(1) %p
  ret void
}

; An array of the region's own is no obstacle.
; CHECK-LABEL: define void @own_array
; CHECK-NOT: region0.x:
; CHECK: ret void
define void @own_array(ptr addrspace(1) %a, i64 %n) {
entry:
  %ring = alloca [4 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = and i64 %i, 3
  %r = getelementptr i32, ptr %ring, i64 %at
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %v = load i32, ptr addrspace(1) %p
  %old = load i32, ptr %r
  store i32 %v, ptr %r
  store i32 %old, ptr addrspace(1) %p
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Atomic operations count the work-items.
; CHECK-LABEL: define void @counts
; CHECK: region0.x:
define void @counts(ptr addrspace(1) %a) {
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  ret void
}

; Volatile accesses happen as often as the program says.
; CHECK-LABEL: define void @volatile_store
; CHECK: region0.x:
define void @volatile_store(ptr addrspace(1) %a) {
  store volatile i32 1, ptr addrspace(1) %a
  ret void
}

; Each work-item has the array that the next region reads.
; CHECK-LABEL: define void @read_later
; CHECK: region0.x:
; CHECK: region1.x:
define void @read_later(ptr addrspace(1) %a, i64 %n) {
  %ring = alloca [4 x i32]
  %r = getelementptr i32, ptr %ring, i64 %n
  store i32 7, ptr %r
  call void @__clarity_barrier(i32 1)
  br label %last
last:
  %x = call i64 @__clarity_local_id(i32 0)
  %at = and i64 %x, 3
  %q = getelementptr i32, ptr %ring, i64 %at
  %v = load i32, ptr %q
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  store i32 %v, ptr addrspace(1) %p
  ret void
}
; CHECK: attributes #[[SUMS]] = { {{.*}}"clarity-scalar-regions"="yes"
