; What the group computes together it computes once, ahead of the loops over work-items, over a row in the order of their ids.
; RUN: %clarity opt --passes='specialize-shape<4x4x1>,lower-collectives,prepare-barriers,save-live-values,work-item-loops' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)
declare i32 @__clarity_work_group_reduce_add_int(i32)
declare void @__clarity_barrier(i32)

; CHECK-LABEL: define void @k
define void @k(ptr addrspace(1) %a) {
; CHECK: region1.before:
; CHECK: %row = getelementptr i8, ptr %spill.area, i64
; CHECK: %[[SUM:.*]] = call i32 @__clarity_collective_reduce_add_int(ptr %row, i64 16)
; CHECK: after.barrier:
; CHECK: store i32 %[[SUM]], ptr addrspace(1)
  %y = call i64 @__clarity_local_id(i32 1)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %y
  %v = load i32, ptr addrspace(1) %p
  %sum = call i32 @__clarity_work_group_reduce_add_int(i32 %v)
  store i32 %sum, ptr addrspace(1) %p
  ret void
}
; CHECK: attributes {{.*}}"clarity-lanes-along"="0"
