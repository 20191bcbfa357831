; Where all work-items of the work-group come to a function of sub-groups, no thread of the warp is missing.
; RUN: %clarity opt --processor sm_90 --passes=uniform-collectives %s -o - | FileCheck %s

declare i64 @__clarity_local_id(i32)
declare i32 @__clarity_sub_group_shuffle_int(i32, i32) convergent
declare i32 @__clarity_sub_group_whole_reduce_add_int(i32) convergent
declare i64 @__clarity_sub_group_ballot(i32) convergent
declare i32 @__clarity_sub_group_local_id()
declare void @__clarity_sub_group_barrier() convergent

; CHECK-LABEL: define void @k
define void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  ; CHECK: call i32 @__clarity_sub_group_local_id()
  %lane = call i32 @__clarity_sub_group_local_id()
  ; CHECK: call i32 @__clarity_sub_group_uniform_shuffle_int(i32 %lane, i32 3)
  %a = call i32 @__clarity_sub_group_shuffle_int(i32 %lane, i32 3)
  ; CHECK: call void @__clarity_sub_group_barrier()
  call void @__clarity_sub_group_barrier()
  %some = icmp ne i32 %n, 0
  br i1 %some, label %all, label %next

; All take this way, or none.
all:
  ; CHECK: call i32 @__clarity_sub_group_uniform_reduce_add_int(i32 %a)
  %b = call i32 @__clarity_sub_group_whole_reduce_add_int(i32 %a)
  store i32 %b, ptr addrspace(1) %p, align 4
  br label %next

next:
  %odd = trunc i64 %id to i1
  br i1 %odd, label %apart, label %end

; CHECK: apart:
apart:
  ; CHECK: call i64 @__clarity_sub_group_ballot(i32 1)
  %c = call i64 @__clarity_sub_group_ballot(i32 1)
  store i64 %c, ptr addrspace(1) %p, align 8
  br label %end

; CHECK: end:
end:
  ; CHECK: call i64 @__clarity_sub_group_uniform_ballot(i32 1)
  %d = call i64 @__clarity_sub_group_ballot(i32 1)
  store i64 %d, ptr addrspace(1) %p, align 8
  ret void
}
