; RUN: %clarity opt --passes=call-runtime %s -o - | FileCheck %s
; Functions of work-groups and sub-groups meet, and compute of the values of all.
declare i32 @__clarity_collective_reduce_add_int(ptr, i64)
declare void @__clarity_collective_scan_inclusive_add_int(ptr, i64)
declare i32 @__clarity_sub_group_reduce_max_int(i32)
declare i32 @__clarity_sub_group_shuffle_int(i32, i32)
declare i64 @__clarity_sub_group_ballot(i32)
declare i32 @__clarity_sub_group_id()
declare i32 @__clarity_sub_group_local_id()
declare void @__clarity_sub_group_barrier()

; CHECK-LABEL: define i32 @group
define i32 @group(i32 %x) {
  %row = alloca i32
  store i32 %x, ptr %row
; CHECK: %[[ROW:.*]] = call ptr @__clarity_meet_work_group(ptr %row, i64 4)
; CHECK: %[[ITEMS:.*]] = load i64
; CHECK: call i32 @__clarity_collective_reduce_add_int(ptr %[[ROW]], i64 %[[ITEMS]])
  %sum = call i32 @__clarity_collective_reduce_add_int(ptr %row, i64 0)
; Scans leave a value for each: this work-item's goes back.
; CHECK: %[[SCAN:.*]] = call ptr @__clarity_meet_work_group(ptr %row, i64 4)
; CHECK: call void @__clarity_collective_scan_inclusive_add_int(ptr %[[SCAN]], i64
; CHECK: getelementptr inbounds i32, ptr %[[SCAN]]
; CHECK: store i32 %{{.*}}, ptr %row
  call void @__clarity_collective_scan_inclusive_add_int(ptr %row, i64 0)
  ret i32 %sum
}

; CHECK-LABEL: define i32 @sub_group
define i32 @sub_group(i32 %x) "clarity-sub-group-size"="8" {
; CHECK: alloca <8 x i32>
; CHECK: %[[MET:.*]] = call i64 @__clarity_meet_sub_group(ptr %{{.*}}, i64 4, ptr %{{.*}}, i32 8, i32 0)
; CHECK: %[[BITS:.*]] = trunc i64 %[[MET]] to i8
; CHECK: bitcast i8 %[[BITS]] to <8 x i1>
; CHECK: select <8 x i1>
  %max = call i32 @__clarity_sub_group_reduce_max_int(i32 %x)
; Another call, with a number of its own.
; CHECK: call i64 @__clarity_meet_sub_group({{.*}}, i32 8, i32 1)
; CHECK: extractelement <8 x i32>
  %other = call i32 @__clarity_sub_group_shuffle_int(i32 %max, i32 %x)
; CHECK: call i64 @__clarity_meet_sub_group({{.*}}, i64 1, {{.*}}, i32 8, i32 2)
  %votes = call i64 @__clarity_sub_group_ballot(i32 %x)
; CHECK: urem i32 %{{.*}}, 8
  %lane = call i32 @__clarity_sub_group_local_id()
; CHECK: udiv i32 %{{.*}}, 8
  %id = call i32 @__clarity_sub_group_id()
; CHECK: call i64 @__clarity_meet_sub_group(ptr null, i64 0, ptr null, i32 8, i32 3)
  call void @__clarity_sub_group_barrier()
  %a = add i32 %other, %lane
  %b = add i32 %a, %id
  ret i32 %b
}
