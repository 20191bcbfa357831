; What is the same in every turn of a loop is kept for each work-item if they leave it in different turns, and once if they
; leave it together.
; RUN: %clarity opt --passes='prepare-barriers,save-live-values' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)
declare void @__clarity_barrier(i32)

; CHECK-LABEL: define void @apart
define void @apart(ptr addrspace(1) %a) {
; CHECK: %last.spill = alloca i64, align 8{{$}}
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %last = phi i64 [ 7, %entry ], [ %i, %loop ]
  %next = add i64 %i, 1
  %more = icmp ule i64 %next, %x
  br i1 %more, label %loop, label %end
end:
  call void @__clarity_barrier(i32 1)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %x
  store i64 %last, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @together
define void @together(ptr addrspace(1) %a, i64 %n) {
; CHECK: %last.spill = alloca i64{{.*}} !clarity.uniform.slot
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %last = phi i64 [ 7, %entry ], [ %i, %loop ]
  %next = add i64 %i, 1
  %more = icmp ule i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  call void @__clarity_barrier(i32 1)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %x
  store i64 %last, ptr addrspace(1) %p
  ret void
}
