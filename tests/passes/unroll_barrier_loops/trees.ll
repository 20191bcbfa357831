; Short loops around barriers as straight code.
; RUN: %clarity opt --passes='loop-simplify,unroll-barrier-loops' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)
declare void @__clarity_barrier(i32)

; Three turns: distances 4, 2 and 1.
; CHECK-LABEL: define void @tree
; CHECK: icmp ult i64 %l, 4
; CHECK: call void @__clarity_barrier
; CHECK: icmp ult i64 %l, 2
; CHECK: call void @__clarity_barrier
; CHECK: icmp ult i64 %l, 1
; CHECK: call void @__clarity_barrier
; CHECK-NOT: call void @__clarity_barrier
; CHECK: ret void
define void @tree(ptr addrspace(3) %t) {
entry:
  %l = call i64 @__clarity_local_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 4, %entry ], [ %next, %join ]
  %in = icmp ult i64 %l, %k
  br i1 %in, label %add, label %join
add:
  %other = add i64 %l, %k
  %from = getelementptr i32, ptr addrspace(3) %t, i64 %other
  %a = load i32, ptr addrspace(3) %from
  %to = getelementptr i32, ptr addrspace(3) %t, i64 %l
  %b = load i32, ptr addrspace(3) %to
  %sum = add i32 %a, %b
  store i32 %sum, ptr addrspace(3) %to
  br label %join
join:
  call void @__clarity_barrier(i32 1)
  %next = lshr i64 %k, 1
  %more = icmp ne i64 %next, 0
  br i1 %more, label %loop, label %done
done:
  ret void
}

; As many turns as the caller says: stays a loop.
; CHECK-LABEL: define void @unknown
; CHECK: phi i64
; CHECK: call void @__clarity_barrier
; CHECK-NOT: call void @__clarity_barrier
; CHECK: ret void
define void @unknown(i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @__clarity_barrier(i32 1)
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; No barrier: the optimiser's business.
; CHECK-LABEL: define void @plain
; CHECK: phi i64
; CHECK: ret void
define void @plain(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %k
  store volatile i64 %k, ptr addrspace(1) %at
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, 4
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A loop over the nodes of each level, whose number changes from level to level: two levels of it.
; CHECK-LABEL: define void @tree_of_loops
; CHECK: call void @__clarity_barrier
; CHECK: icmp ult i64 %{{[a-z.0-9]+}}, 2
; CHECK: call void @__clarity_barrier
; CHECK: icmp ult i64 %{{[a-z.0-9]+}}, 1
; CHECK-NOT: call void @__clarity_barrier
; CHECK: ret void
define void @tree_of_loops(ptr addrspace(3) %t) {
entry:
  %l = call i64 @__clarity_local_id(i32 0)
  br label %level
level:
  %k = phi i64 [ 2, %entry ], [ %next, %done ]
  call void @__clarity_barrier(i32 1)
  br label %nodes
nodes:
  %i = phi i64 [ %l, %level ], [ %i.next, %node ]
  %in = icmp ult i64 %i, %k
  br i1 %in, label %node, label %done
node:
  %other = add i64 %i, %k
  %from = getelementptr i32, ptr addrspace(3) %t, i64 %other
  %a = load i32, ptr addrspace(3) %from
  %to = getelementptr i32, ptr addrspace(3) %t, i64 %i
  store i32 %a, ptr addrspace(3) %to
  %i.next = add i64 %i, 64
  br label %nodes
done:
  %next = lshr i64 %k, 1
  %more = icmp ne i64 %next, 0
  br i1 %more, label %level, label %end
end:
  ret void
}

; The same number of elements in each turn, as for tiles of a matrix: stays a loop.
; CHECK-LABEL: define void @tiles
; CHECK: call void @__clarity_barrier
; CHECK-NOT: call void @__clarity_barrier
; CHECK: ret void
define void @tiles(ptr addrspace(3) %t) {
entry:
  %l = call i64 @__clarity_local_id(i32 0)
  br label %tile
tile:
  %k = phi i64 [ 0, %entry ], [ %next, %done ]
  call void @__clarity_barrier(i32 1)
  br label %elements
elements:
  %i = phi i64 [ %l, %tile ], [ %i.next, %element ]
  %in = icmp ult i64 %i, 128
  br i1 %in, label %element, label %done
element:
  %to = getelementptr i32, ptr addrspace(3) %t, i64 %i
  store i32 1, ptr addrspace(3) %to
  %i.next = add i64 %i, 64
  br label %elements
done:
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, 4
  br i1 %more, label %tile, label %end
end:
  ret void
}
