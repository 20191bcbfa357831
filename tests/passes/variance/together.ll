; What a work-group computes together is the same in all its work-items; what sub-groups compute differs between those.
; RUN: %clarity opt --passes='print<variance>' %s -o /dev/null 2>&1 | FileCheck %s
declare i64 @__clarity_local_id(i32)
declare i32 @__clarity_collective_reduce_add_int(ptr, i64)
declare i32 @__clarity_sub_group_reduce_add_int(i32)
declare i32 @__clarity_sub_group_max_size()
declare i32 @__clarity_sub_group_local_id()
declare i32 @__clarity_sub_group_id()

define void @k() {
; CHECK: %group: uniform
; CHECK: %sub: varies in xyz
; CHECK: %most: uniform
; CHECK: %lane: varies in xyz
; CHECK: %id: varies in xyz
  %row = alloca i32
  %group = call i32 @__clarity_collective_reduce_add_int(ptr %row, i64 0)
  %sub = call i32 @__clarity_sub_group_reduce_add_int(i32 %group)
  %most = call i32 @__clarity_sub_group_max_size()
  %lane = call i32 @__clarity_sub_group_local_id()
  %id = call i32 @__clarity_sub_group_id()
  ret void
}
