; RUN: %clarity opt --passes='prepare-barriers,print<barrier-regions>' %s -o /dev/null 2>&1 | FileCheck %s
declare i64 @__clarity_local_id(i32)
declare void @__clarity_barrier(i32)

; A loop around a barrier becomes a loop of the group: its uniform branch separates regions.
; CHECK-LABEL: regions of 'loop'{{$}}
; CHECK-NEXT: region 0: %entry; then region 1
; CHECK-NEXT: region 1: %loop; then
; CHECK-SAME: in a cycle
; CHECK-NOT: may diverge
define void @loop(ptr addrspace(3) %t, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %latch, label %end
latch:
  store i32 %i, ptr addrspace(3) %t
  call void @__clarity_barrier(i32 1)
  %next = add i32 %i, 1
  br label %loop
end:
  ret void
}

; Some work-items return before the barrier: every one remembers where it is.
; CHECK-LABEL: regions of 'early', masked
; CHECK: region 0: {{.*}} work-items may diverge
define void @early(ptr addrspace(3) %t, i64 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %c = icmp ult i64 %x, %n
  br i1 %c, label %go, label %end
go:
  store i32 1, ptr addrspace(3) %t
  call void @__clarity_barrier(i32 1)
  br label %end
end:
  ret void
}

; Two barriers in the arms of a uniform if; what follows is reached from both and is one region.
; CHECK-LABEL: regions of 'arms'{{$}}
; CHECK: region {{[0-9]+}}: %join; then the end
define void @arms(ptr addrspace(3) %t, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  call void @__clarity_barrier(i32 1)
  br label %join
b:
  call void @__clarity_barrier(i32 1)
  br label %join
join:
  store i32 1, ptr addrspace(3) %t
  ret void
}

; CHECK-LABEL: regions of 'none'{{$}}
; CHECK-NEXT: region 0: %entry; then the end
define void @none(ptr %p) {
entry:
  store i32 1, ptr %p
  ret void
}
