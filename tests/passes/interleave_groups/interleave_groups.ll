; Work-groups whose iterations access consecutive memory become one work-group, in which y counts them.
; RUN: %clarity opt --passes='specialize-shape<64>,interleave-groups' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32) nounwind speculatable willreturn memory(none)
declare i64 @__clarity_local_id(i32) nounwind speculatable willreturn memory(none)
declare i64 @__clarity_group_id(i32) nounwind speculatable willreturn memory(none)
declare ptr addrspace(3) @__clarity_local_memory() nounwind speculatable willreturn memory(none)
declare void @__clarity_barrier(i32) convergent nounwind

; The group's number and its local memory, its own and that of arguments, are those of the member; there is no other y.
; CHECK-LABEL: define void @members
; CHECK: [[BYTES:%.*]] = call i64 @__clarity_local_bytes()
; CHECK: [[MEMBER:%.*]] = call i64 @__clarity_local_id(i32 1)
; CHECK: [[BEHIND:%.*]] = mul nuw nsw i64 [[MEMBER]], [[BYTES]]
; CHECK: [[ARGUMENT:%.*]] = getelementptr inbounds i8, ptr addrspace(3) %scratch, i64 [[BEHIND]]
; CHECK: [[MEMORY:%.*]] = call ptr addrspace(3) @__clarity_local_memory()
; CHECK: [[OWN:%.*]] = getelementptr inbounds i8, ptr addrspace(3) [[MEMORY]], i64
; CHECK: [[FIRST:%.*]] = call i64 @__clarity_group_id(i32 0)
; CHECK: [[NUMBER:%.*]] = call i64 @__clarity_local_id(i32 1)
; CHECK: add nuw nsw i64 [[FIRST]], [[NUMBER]]
; CHECK: call i64 @__clarity_group_id(i32 1)
; CHECK: call i64 @__clarity_global_offset(i32 1)
; CHECK: store i64 {{.*}}, ptr addrspace(3) [[OWN]]
; CHECK: store i64 0, ptr addrspace(3) [[ARGUMENT]]
define void @members(ptr addrspace(3) %scratch, ptr addrspace(1) %out) #0 {
entry:
  %memory = call ptr addrspace(3) @__clarity_local_memory()
  %group = call i64 @__clarity_group_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = call i64 @__clarity_global_id(i32 1)
  %sum = add i64 %group, %row
  store i64 %sum, ptr addrspace(3) %memory
  store i64 %y, ptr addrspace(3) %scratch
  call void @__clarity_barrier(i32 1)
  ret void
}

; Groups part ahead of a barrier: everything is as it was.
; CHECK-LABEL: define void @apart
; CHECK: call void @__clarity_barrier
; CHECK-NOT: call i64 @__clarity_local_id(i32 1)
; CHECK: ret void
define void @apart(ptr addrspace(1) %out) #0 {
entry:
  %group = call i64 @__clarity_group_id(i32 0)
  %odd = trunc i64 %group to i1
  br i1 %odd, label %meet, label %end
meet:
  call void @__clarity_barrier(i32 1)
  br label %end
end:
  ret void
}

; A group that waits for another one's number, which that one may store behind its barrier.
; CHECK-LABEL: define void @waits
; CHECK-NOT: call i64 @__clarity_local_id(i32 1)
; CHECK: ret void
define void @waits(ptr addrspace(1) %flag) #0 {
entry:
  %group = call i64 @__clarity_group_id(i32 0)
  br label %again
again:
  %seen = load atomic i64, ptr addrspace(1) %flag monotonic, align 8
  %not.yet = icmp ult i64 %seen, %group
  br i1 %not.yet, label %again, label %end
end:
  call void @__clarity_barrier(i32 1)
  %next = add i64 %group, 1
  store atomic i64 %next, ptr addrspace(1) %flag monotonic, align 8
  ret void
}

; Numbers of which a histogram's counters are no answer to anybody.
; CHECK-LABEL: define void @counts
; CHECK: call i64 @__clarity_local_id(i32 1)
define void @counts(ptr addrspace(1) %bins) #0 {
entry:
  %group = call i64 @__clarity_group_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %bins, i64 %group
  %old = atomicrmw add ptr addrspace(1) %at, i32 1 monotonic
  call void @__clarity_barrier(i32 1)
  ret void
}

; The kernel does not request it.
; CHECK-LABEL: define void @alone
; CHECK-NOT: call i64 @__clarity_local_id(i32 1)
; CHECK: ret void
define void @alone(ptr addrspace(1) %out) {
  %group = call i64 @__clarity_group_id(i32 0)
  store i64 %group, ptr addrspace(1) %out
  ret void
}

attributes #0 = { "clarity-wants-interleaving"="4" }
; CHECK: attributes {{.*}} "clarity-interleaved-groups"="16"
