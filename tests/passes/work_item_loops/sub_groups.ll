; A region with sub-group functions counts work-items along x alone, unless its rows are whole sub-groups; others do not.
; RUN: %clarity opt --passes='specialize-shape<6x4x1>,prepare-barriers,save-live-values,work-item-loops' %s -o - | FileCheck %s
; RUN: %clarity opt --passes='specialize-shape<8x4x1>,prepare-barriers,save-live-values,work-item-loops' %s -o - | FileCheck %s --check-prefix=WHOLE
declare i64 @__clarity_local_id(i32)
declare i32 @__clarity_sub_group_id()
declare i32 @__clarity_sub_group_reduce_add_int(i32)
declare void @__clarity_barrier(i32)

; CHECK-LABEL: define void @k
; WHOLE-LABEL: define void @k
define void @k(ptr addrspace(1) %a) "clarity-sub-group-size"="8" {
; CHECK: region0.begin:
; CHECK-DAG: urem i32 %{{.*}}, 6
; CHECK-DAG: udiv i32 %{{.*}}, 6
; CHECK-NOT: icmp ult i32 %{{.*}}, 6
; CHECK: region0.x.next:
; CHECK: icmp ult i32 %{{.*}}, 24
; CHECK: region1.x.next:
; CHECK: icmp ult i32 %{{.*}}, 6
; WHOLE-NOT: urem
; WHOLE: region0.x.next:
; WHOLE: icmp ult i32 %{{.*}}, 8
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul i64 %y, 100
  %i = add i64 %row, %x
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %v = load i32, ptr addrspace(1) %p
  %sum = call i32 @__clarity_sub_group_reduce_add_int(i32 %v)
  %id = call i32 @__clarity_sub_group_id()
  %s = add i32 %sum, %id
  store i32 %s, ptr addrspace(1) %p
  call void @__clarity_barrier(i32 1)
  store i32 7, ptr addrspace(1) %p
  ret void
}
