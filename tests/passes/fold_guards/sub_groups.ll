; Packets that are sub-groups begin where sub-groups begin: a guard ahead of sub-group functions moves no bound.
; RUN: %clarity opt --passes='specialize-shape<64x1x1>,work-item-loops,fold-guards' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)
declare i32 @__clarity_sub_group_reduce_add_int(i32)

; CHECK-LABEL: define void @sub_groups
; CHECK-NOT: some.items
; CHECK: icmp uge i64 %{{.*}}, 5
define void @sub_groups(ptr addrspace(1) %a) "clarity-sub-group-size"="8" {
  %x = call i64 @__clarity_local_id(i32 0)
  %c = icmp uge i64 %x, 5
  br i1 %c, label %then, label %end
then:
  %sum = call i32 @__clarity_sub_group_reduce_add_int(i32 1)
  store i32 %sum, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @others
; CHECK: some.items
define void @others(ptr addrspace(1) %a) "clarity-sub-group-size"="8" {
  %x = call i64 @__clarity_local_id(i32 0)
  %c = icmp uge i64 %x, 5
  br i1 %c, label %then, label %end
then:
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  store i32 1, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
