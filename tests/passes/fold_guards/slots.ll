; What a region keeps for the whole group is stored behind its loops as well: they may not run at all.
; RUN: %clarity opt --passes='prepare-barriers,save-live-values,work-item-loops,narrow-indices,fold-guards' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)
declare void @__clarity_barrier(i32)

; CHECK-LABEL: define void @tree
define void @tree(ptr addrspace(3) %t, i64 %n) {
; CHECK: region2.before:
; CHECK: %[[WIDTH:.*]] = load i64, ptr %width{{[0-9]*}}.spill
; CHECK: %[[SHIFTED:.*]] = lshr i64 %[[WIDTH]], 1
; CHECK: %[[HALF:.*]] = freeze i64 %[[SHIFTED]]
; CHECK: %[[REGION:.*]] = select i1 %{{.*}}, i32 {{[0-9]+}}, i32 {{[0-9]+}}
; CHECK: %[[BOUND:.*]] = freeze i64 %[[WIDTH]]
; CHECK: call i64 @llvm.umin.i64(i64 %[[BOUND]],
; CHECK: br i1 %{{.*}}, label %some.items, label %region2.after
; CHECK: region2.after:
; CHECK-DAG: store i64 %[[HALF]], ptr %half.spill
; CHECK-DAG: store i32 %[[REGION]], ptr %next.region
; CHECK: %[[NEXT:.*]] = load i32, ptr %next.region
; CHECK: switch i32 %[[NEXT]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  br label %loop
loop:
  %width = phi i64 [ %n, %entry ], [ %half, %next ]
  call void @__clarity_barrier(i32 1)
  %c = icmp ult i64 %x, %width
  br i1 %c, label %add, label %next
add:
  %p = getelementptr float, ptr addrspace(3) %t, i64 %x
  %other = getelementptr float, ptr addrspace(3) %p, i64 %width
  %v = load float, ptr addrspace(3) %other
  store float %v, ptr addrspace(3) %p
  br label %next
next:
  %half = lshr i64 %width, 1
  %more = icmp ne i64 %half, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Behind a second condition as well: both ways around keep the same, and it is stored once.
; CHECK-LABEL: define void @two_conditions
; CHECK: region2.before:
; CHECK: br i1 %{{.*}}, label %some.items, label %region2.after
; CHECK: some.items:
; CHECK: br i1 %{{.*}}, label %[[MORE:.*]], label %region2.after
; CHECK: inner:
; CHECK: br label %add
; CHECK: region2.after:
; CHECK-NEXT: store i64 %{{.*}}, ptr %half.spill
; CHECK-NEXT: store i32 %{{.*}}, ptr %next.region
; CHECK-NEXT: %[[NEXT:.*]] = load i32, ptr %next.region
; CHECK-NEXT: switch i32 %[[NEXT]]
define void @two_conditions(ptr addrspace(3) %t, i64 %n, i64 %m) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  br label %loop
loop:
  %width = phi i64 [ %n, %entry ], [ %half, %next ]
  call void @__clarity_barrier(i32 1)
  %c = icmp ult i64 %x, %width
  br i1 %c, label %inner, label %next
inner:
  %d = icmp ult i64 %y, %m
  br i1 %d, label %add, label %next
add:
  %p = getelementptr float, ptr addrspace(3) %t, i64 %x
  %other = getelementptr float, ptr addrspace(3) %p, i64 %width
  %v = load float, ptr addrspace(3) %other
  store float %v, ptr addrspace(3) %p
  br label %next
next:
  %half = lshr i64 %width, 1
  %more = icmp ne i64 %half, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}
