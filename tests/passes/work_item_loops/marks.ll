; Later passes know the loops over work-items by what marks their counters and the branches that close them.
; RUN: %clarity opt --passes='prepare-barriers,save-live-values,work-item-loops' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)
declare void @__clarity_barrier(i32)

; CHECK-LABEL: define void @k
; CHECK: region0.before:
; CHECK: region0.z:
; CHECK: phi i32 {{.*}} !clarity.counter ![[Z:[0-9]+]]
; CHECK: region0.y:
; CHECK: phi i32 {{.*}} !clarity.counter ![[Y:[0-9]+]]
; CHECK: region0.x:
; CHECK: %[[COUNTER:.*]] = phi i32 {{.*}} !clarity.counter ![[X:[0-9]+]]
; What belongs to a work-item but not to its code comes in a block of its own.
; CHECK: region0.begin:
; CHECK: br label %entry
; CHECK: entry:
; CHECK: zext i32 %[[COUNTER]] to i64
; No barrier is left: the loops are.
; CHECK-NOT: call void @__clarity_barrier
; CHECK: region0.x.next:
; CHECK: br i1 {{.*}} !clarity.item.loop ![[X]]
; CHECK: br i1 {{.*}} !clarity.item.loop ![[Y]]
; CHECK: br i1 {{.*}} !clarity.item.loop ![[Z]]
; CHECK-DAG: ![[X]] = !{i32 0}
; CHECK-DAG: ![[Y]] = !{i32 1}
; CHECK-DAG: ![[Z]] = !{i32 2}
define void @k(ptr addrspace(3) %t) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(3) %t, i64 %x
  store float 1.0, ptr addrspace(3) %p
  call void @__clarity_barrier(i32 1)
  store float 2.0, ptr addrspace(3) %t
  ret void
}
