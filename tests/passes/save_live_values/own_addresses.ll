; The address of a private variable has the same form in all work-items, but is another in each: it is never kept once for the group.
; RUN: %clarity opt --passes='prepare-barriers,save-live-values' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)
declare void @__clarity_barrier(i32)

; CHECK-LABEL: define void @around_loop
define void @around_loop(ptr addrspace(1) %out, i32 %n) {
; CHECK-DAG: %i.in = alloca i32, align 4, !clarity.uniform.slot
; CHECK-DAG: %p.in = alloca ptr, align 8{{$}}
entry:
  %a = alloca i32
  %b = alloca i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = phi ptr [ %a, %entry ], [ %other, %loop ]
  store i32 %i, ptr %p
  call void @__clarity_barrier(i32 1)
  %next = add i32 %i, 1
  %odd = trunc i32 %next to i1
  %other = select i1 %odd, ptr %b, ptr %a
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %v = load i32, ptr %p
  store i32 %v, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define void @too_dear
define void @too_dear(ptr addrspace(1) %out, i32 %n) {
; CHECK-DAG: %place.spill = alloca i64, align 8{{$}}
; CHECK-DAG: %p.spill = alloca ptr addrspace(4), align 8{{$}}
  %a = alloca [8 x i32]
  %id = call i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  %third = sdiv i32 %x, 3
  %q = getelementptr i32, ptr %a, i32 %third
  %p = addrspacecast ptr %q to ptr addrspace(4)
  store i32 1, ptr addrspace(4) %p
  %number = ptrtoint ptr %a to i64
  %part = udiv i64 %number, 3
  %place = mul i64 %part, 3
  call void @__clarity_barrier(i32 1)
  %v = load i32, ptr addrspace(4) %p
  store i32 %v, ptr addrspace(1) %out
  store i64 %place, ptr addrspace(1) %out
  ret void
}
