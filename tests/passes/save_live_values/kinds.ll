; Cheap values are computed again, uniform ones are kept once, others for each work-item; no phi heads a region.
; RUN: %clarity opt --passes='prepare-barriers,save-live-values' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)
declare void @__clarity_barrier(i32)

; CHECK-LABEL: define void @k
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %u) {
; CHECK: %varying.spill = alloca float
; CHECK-NOT: clarity.uniform.slot
; CHECK: %same.spill = alloca float{{.*}} !clarity.uniform.slot
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  %same = load float, ptr addrspace(1) %u
  %varying = load float, ptr addrspace(1) %p
; CHECK: store float %varying, ptr %varying.spill
  call void @__clarity_barrier(i32 1)
; CHECK: after.barrier:
; CHECK-DAG: call i64 @__clarity_local_id(i32 0)
; CHECK-DAG: load float, ptr %same.spill
; CHECK-DAG: load float, ptr %varying.spill
; CHECK: ret void, !clarity.region.head
  %s = fadd float %same, %varying
  store float %s, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @phi
define void @phi(ptr addrspace(3) %t, i32 %n) {
; CHECK: %i.in = alloca i32{{.*}} !clarity.uniform.slot
; CHECK: store i32 0, ptr %i.in
entry:
  br label %loop
; CHECK: loop:
; CHECK-NEXT: load i32, ptr %i.in
; CHECK-NOT: phi
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  call void @__clarity_barrier(i32 1)
  %c = icmp slt i32 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; A varying value that comes in through a phi stays varying when it goes on to further regions, which load it from the
; slot that it came in through.
; CHECK-LABEL: define void @accumulate
define void @accumulate(ptr addrspace(3) %t, ptr addrspace(1) %a, i32 %n) {
; CHECK-NOT: %sum{{[0-9]*}}.spill
; CHECK: %sum.in = alloca float, align 4{{$}}
; CHECK: loop:
; CHECK: end:
; CHECK: load float, ptr %sum.in
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %s, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %end
body:
  call void @__clarity_barrier(i32 1)
  %v = load float, ptr addrspace(1) %p
  %s = fadd float %sum, %v
  %next = add i32 %i, 1
  br label %loop
end:
  store float %sum, ptr addrspace(1) %p
  ret void
}

; What a region passes on through a slot is there before it is stored.
; CHECK-LABEL: define void @handed_on
define void @handed_on(ptr addrspace(1) %p, i1 %c) {
entry:
  %v = load i32, ptr addrspace(1) %p
  br i1 %c, label %then, label %end
then:
  call void @__clarity_barrier(i32 1)
; CHECK: after.barrier:
; CHECK-NEXT: %[[V:.*]] = load i32
; CHECK-NEXT: store i32 %[[V]]
  br label %end
end:
  %r = phi i32 [ 7, %entry ], [ %v, %then ]
  call void @__clarity_barrier(i32 1)
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; What a varying phi becomes takes its place: nothing is copied at the end of a turn.
; CHECK-LABEL: define void @in_place
define void @in_place(ptr addrspace(3) %t, ptr addrspace(1) %a, i32 %n) {
; CHECK: %sum.in = alloca float
; CHECK-NOT: .spill
; CHECK: loop:
; CHECK: %[[SUM:.*]] = load float, ptr %sum.in
; CHECK: %more = fadd float %[[SUM]]
; CHECK: call void @__clarity_barrier
; CHECK-NEXT: store float %more, ptr %sum.in
; CHECK: after.barrier:
; CHECK-NOT: store float {{.*}}, ptr %sum.in
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %sum = phi float [ 0.0, %entry ], [ %more, %latch ]
  %v = load float, ptr addrspace(1) %p
  %more = fadd float %sum, %v
  call void @__clarity_barrier(i32 1)
  br label %latch
latch:
  %i.next = add i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  store float %more, ptr addrspace(1) %p
  ret void
}

; Where the old value is asked for behind the barrier, both have places.
; CHECK-LABEL: define void @both
define void @both(ptr addrspace(3) %t, ptr addrspace(1) %a, i32 %n) {
; CHECK: %more.spill = alloca float
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %sum = phi float [ 0.0, %entry ], [ %more, %latch ]
  %v = load float, ptr addrspace(1) %p
  %more = fadd float %sum, %v
  call void @__clarity_barrier(i32 1)
  br label %latch
latch:
  store float %sum, ptr addrspace(1) %p
  %i.next = add i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; Truth values of a vector are kept as bytes.
; CHECK-LABEL: define void @truths
; CHECK: alloca <2 x i8>
; CHECK: zext <2 x i1> %{{.*}} to <2 x i8>
; CHECK: store <2 x i8>
; CHECK: load <2 x i8>
; CHECK: trunc <2 x i8> %{{.*}} to <2 x i1>
define void @truths(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr <2 x i32>, ptr addrspace(1) %a, i64 %x
  %v = load <2 x i32>, ptr addrspace(1) %p
  %c = icmp sgt <2 x i32> %v, zeroinitializer
  call void @__clarity_barrier(i32 1)
  %q = getelementptr <2 x i32>, ptr addrspace(1) %b, i64 %x
  %s = sext <2 x i1> %c to <2 x i32>
  store <2 x i32> %s, ptr addrspace(1) %q
  ret void
}
