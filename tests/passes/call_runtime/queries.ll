; RUN: %clarity opt --passes=call-runtime %s -o - | FileCheck %s
; Queries load from the work-item's place or, through it, from the launch; barriers are calls. In all functions.
declare i64 @__clarity_global_id(i32)
declare i64 @__clarity_local_size(i32)
declare i64 @__clarity_num_groups(i32)
declare i32 @__clarity_work_dim()
declare void @__clarity_barrier(i32)
declare ptr addrspace(3) @__clarity_local_memory()

; CHECK-LABEL: define i64 @ids
define i64 @ids(i32 %d) {
; CHECK: %[[ITEM:.*]] = call ptr @__clarity_work_item()
; CHECK: load i64
  %x = call i64 @__clarity_global_id(i32 1)
; CHECK: call ptr @__clarity_work_item()
; CHECK: getelementptr inbounds i8, ptr %{{.*}}, i64 72
; CHECK: icmp ult i64 %{{.*}}, 3
; CHECK: load i64
  %n = call i64 @__clarity_local_size(i32 %d)
; CHECK: call ptr @__clarity_work_item()
; CHECK: %[[LAUNCH:.*]] = load ptr
; CHECK: getelementptr inbounds i8, ptr %[[LAUNCH]]
  %g = call i64 @__clarity_num_groups(i32 0)
  %a = add i64 %x, %n
  %b = add i64 %a, %g
  ret i64 %b
}

; CHECK-LABEL: define internal void @waits
define internal void @waits(i32 %v) {
; CHECK: %[[LOCAL:.*]] = addrspacecast ptr %{{.*}} to ptr addrspace(3)
; CHECK: store i32 %v, ptr addrspace(3) %[[LOCAL]]
; CHECK: call void @__clarity_wait_at_barrier(i32 1)
; CHECK-NOT: @__clarity_barrier(
  %m = call ptr addrspace(3) @__clarity_local_memory()
  store i32 %v, ptr addrspace(3) %m
  call void @__clarity_barrier(i32 1)
  ret void
}
