; Bundles go through memory along x, even where neighbours along y lie side by side.
; RUN: %clarity opt --passes='specialize-shape<64>,interleave-groups,prepare-barriers,save-live-values,work-item-loops' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32) nounwind speculatable willreturn memory(none)
declare i64 @__clarity_group_id(i32) nounwind speculatable willreturn memory(none)
declare void @__clarity_barrier(i32) convergent nounwind

; CHECK: define void @columns({{.*}} #[[MADE:[0-9]+]]
; CHECK: attributes #[[MADE]] = {{.*}}"clarity-interleaved-groups"="16"{{.*}}"clarity-lanes-along"="0"
define void @columns(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
entry:
  %group = call i64 @__clarity_group_id(i32 0)
  %x = call i64 @__clarity_local_id(i32 0)
  %row = mul nuw nsw i64 %x, 1024
  %i = add nuw nsw i64 %row, %group
  %p = getelementptr float, ptr addrspace(1) %in, i64 %i
  %v = load float, ptr addrspace(1) %p
  call void @__clarity_barrier(i32 1)
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %v, ptr addrspace(1) %q
  ret void
}

attributes #0 = { "clarity-wants-interleaving"="4" }
