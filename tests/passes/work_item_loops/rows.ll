; A row of kept values lies side by side along the dimension that accesses are neighbours along: that of the lanes.
; RUN: %clarity opt --passes='specialize-shape<16x8x1>,prepare-barriers,save-live-values,work-item-loops' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)
declare void @__clarity_barrier(i32)

; CHECK-LABEL: define void @along_x
; CHECK-SAME: #[[ALONGX:[0-9]+]]
; CHECK: region0.y:
; CHECK: %[[Y:.*]] = phi i32
; CHECK: region0.x:
; CHECK: %[[X:.*]] = phi i32
; CHECK: region0.begin:
; CHECK: %[[Y64:.*]] = zext i32 %[[Y]] to i64
; CHECK: %[[ROW:.*]] = add i64 %{{.*}}, %[[Y64]]
; CHECK: %[[START:.*]] = mul i64 %[[ROW]], 16
; CHECK: %[[X64:.*]] = zext i32 %[[X]] to i64
; CHECK: add nuw nsw i64 %[[START]], %[[X64]]
; CHECK: store float %v, ptr %v.spill
define void @along_x(ptr addrspace(1) %a, i64 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nsw i64 %y, %n
  %at = add nsw i64 %row, %x
  %p = getelementptr float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p
  call void @__clarity_barrier(i32 1)
  store float %v, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @along_y
; CHECK-SAME: #[[ALONGY:[0-9]+]]
; CHECK: region0.y:
; CHECK: %[[Y:.*]] = phi i32
; CHECK: region0.x:
; CHECK: %[[X:.*]] = phi i32
; CHECK: region0.begin:
; CHECK: %[[X64:.*]] = zext i32 %[[X]] to i64
; CHECK: %[[COLUMN:.*]] = add i64 %{{.*}}, %[[X64]]
; CHECK: %[[START:.*]] = mul i64 %[[COLUMN]], 8
; CHECK: %[[Y64:.*]] = zext i32 %[[Y]] to i64
; CHECK: add nuw nsw i64 %[[START]], %[[Y64]]
; CHECK: store float %v, ptr %v.spill
; CHECK-DAG: attributes #[[ALONGX]] = { {{.*}}"clarity-lanes-along"="0"
; CHECK-DAG: attributes #[[ALONGY]] = { {{.*}}"clarity-lanes-along"="1"
define void @along_y(ptr addrspace(1) %a, i64 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %column = mul nsw i64 %x, %n
  %at = add nsw i64 %column, %y
  %p = getelementptr float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p
  call void @__clarity_barrier(i32 1)
  store float %v, ptr addrspace(1) %p
  ret void
}
