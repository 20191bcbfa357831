; Where lanes part: every block runs for the lanes that come there, and is skipped if there are none.
; RUN: %clarity opt --passes='specialize-shape<8x1x1>,work-item-loops,lower-switch,loop-simplify,lcssa,packets<4x1x1>' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)
declare i32 @llvm.ctpop.i32(i32)

; A block that stores has two forms: for all lanes, and under their mask.
; CHECK-LABEL: define void @masked
define void @masked(ptr addrspace(1) %a) {
; CHECK: fcmp olt <4 x float>
; CHECK: %[[ANY:.*]] = icmp ne i4 %{{.*}}, 0
; CHECK-NEXT: br i1 %[[ANY]], label %packet.then, label
; CHECK: packet.then:
; CHECK: %[[ALL:.*]] = icmp eq i4 %{{.*}}, -1
; CHECK-NEXT: br i1 %[[ALL]], label %packet.whole, label %packet.part
; CHECK: packet.whole:
; CHECK: store <4 x float>
; CHECK: packet.part:
; CHECK: %[[LANES:.*]] = icmp slt <4 x i64> %{{.*}}, zeroinitializer
; CHECK: call void @llvm.masked.store.v4f32.p1({{.*}} <4 x i1> %[[LANES]])
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %p
  %c = fcmp olt float %v, 0.0
  br i1 %c, label %then, label %end
then:
  %n = fneg float %v
  store float %n, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; A loop that lanes leave in different turns runs without masks as long as all stay (steady), and for those who are left
; after that; what leaves it is taken from each lane's last turn.
; CHECK-LABEL: define void @loop
define void @loop(ptr addrspace(1) %a) {
; CHECK: packet.head{{[0-9]+}}:
; CHECK: %in.loop{{.*}} = phi <4 x i64> [ splat (i64 -1), %packet.leave ]
; CHECK: %[[SUM:.*]] = phi <4 x i32> [ %[[STEADY:.*]], %packet.leave ]
; CHECK: select <4 x i1> %{{.*}}, <4 x i32> %[[SUM]], <4 x i32> %
; CHECK: packet.steady.head:
; CHECK: %[[STEADY]] = phi <4 x i32>
; CHECK: %[[ALL:.*]] = icmp eq i4 %{{.*}}, -1
; CHECK: br i1 %[[ALL]], label %packet.stay, label %packet.leave
; CHECK: packet.body:
; CHECK-NOT: select
; CHECK: packet.leave:
; CHECK: packet.next{{[0-9]+}}:
; CHECK: %[[LEFT:.*]] = icmp ne i4
; CHECK: br i1 %[[LEFT]], label %packet.head{{[0-9]+}}, label %packet.after
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %n = load i32, ptr addrspace(1) %p
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi i32 [ 1, %entry ], [ %more, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %end
body:
  %next = add i32 %i, 1
  %more = mul i32 %sum, %n
  br label %head
end:
  store i32 %sum, ptr addrspace(1) %p
  ret void
}

; A way out of two loops at once: its lanes are collected until both loops are done, the others go on.
; CHECK-LABEL: define void @nested
define void @nested(ptr addrspace(1) %a, i32 %m) {
; CHECK: packet.outer:
; CHECK: %in.loop{{.*}} = phi <4 x i64> [ splat (i64 -1), %
; CHECK: packet.inner:
; CHECK: %[[FOUND:found[0-9]*]] = icmp eq <4 x i32>
; CHECK: %[[FROZEN:.*]] = freeze <4 x i1> %[[FOUND]]
; CHECK: %[[LEAVES:.*]] = and <4 x i1> %{{.*}}, %[[FROZEN]]
; CHECK: select <4 x i1> %[[LEAVES]], <4 x i32> %{{.*}}, <4 x i32> %j.lcssa
; CHECK: packet.outer.next:
; CHECK: %i.next{{[0-9]*}} = add
; CHECK: br i1 %{{.*}}, label %packet.outer, label %packet.after
; CHECK: %result.in{{[0-9]*}} = phi <4 x i32> [ poison, %{{.*}} ], [ %j.lcssa{{.*}}, %packet.end.loopexit ]
; CHECK: %[[RESULT:.*]] = select <4 x i1> %{{.*}}, <4 x i32> splat (i32 -1), <4 x i32> %result.in
; CHECK: store <4 x i32> %[[RESULT]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %n = load i32, ptr addrspace(1) %p
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.next ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.next ]
  %product = mul i32 %i, %j
  %found = icmp eq i32 %product, %n
  br i1 %found, label %end, label %inner.next
inner.next:
  %j.next = add i32 %j, 1
  %j.more = icmp ult i32 %j.next, %m
  br i1 %j.more, label %inner, label %outer.next
outer.next:
  %i.next = add i32 %i, 1
  %i.more = icmp ult i32 %i.next, %m
  br i1 %i.more, label %outer, label %end
end:
  %result = phi i32 [ %j, %inner ], [ -1, %outer.next ]
  store i32 %result, ptr addrspace(1) %p
  ret void
}

; Lanes that return early take no part in what is behind.
; CHECK-LABEL: define void @early
define void @early(ptr addrspace(1) %a) {
; CHECK: icmp eq <4 x i32> %{{.*}}, zeroinitializer
; CHECK: packet.go:
; CHECK: packet.part:
; CHECK: %[[LANES:.*]] = icmp slt <4 x i64> %{{.*}}, zeroinitializer
; CHECK: call void @llvm.masked.store.v4i32.p1(<4 x i32> splat (i32 7), {{.*}} <4 x i1> %[[LANES]])
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %n = load i32, ptr addrspace(1) %p
  %c = icmp eq i32 %n, 0
  br i1 %c, label %leave, label %go
leave:
  ret void
go:
  store i32 7, ptr addrspace(1) %p
  ret void
}

; Where ways meet each lane takes the value of its own way; a switch is branches by then. Ways without code have no
; guards.
; CHECK-LABEL: define void @cases
define void @cases(ptr addrspace(1) %a) {
; CHECK: %[[LANES1:.*]] = icmp slt <4 x i64> %one.lanes{{.*}}, zeroinitializer
; CHECK: select <4 x i1> %[[LANES1]], <4 x i32> splat (i32 10), <4 x i32> %
; CHECK: %[[LANES2:.*]] = icmp slt <4 x i64> %two.lanes{{.*}}, zeroinitializer
; CHECK: %[[R:.*]] = select <4 x i1> %[[LANES2]], <4 x i32> splat (i32 20), <4 x i32> %
; CHECK: store <4 x i32> %[[R]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %n = load i32, ptr addrspace(1) %p
  switch i32 %n, label %end [
    i32 1, label %one
    i32 2, label %two
  ]
one:
  br label %end
two:
  br label %end
end:
  %r = phi i32 [ 10, %one ], [ 20, %two ], [ 30, %entry ]
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; Lanes that pass by keep what they have; the others' values replace it where they come from, once.
; CHECK-LABEL: define void @one_sided
define void @one_sided(ptr addrspace(1) %a) {
; CHECK: %[[TAKEN:.*]] = icmp ne i4 %{{.*}}, 0
; CHECK: br i1 %[[TAKEN]], label %packet.then, label %[[NEXT:.*]]
; CHECK: packet.then:
; CHECK: %[[NEW:.*]] = select <4 x i1> %{{.*}}, <4 x i32> %more{{[0-9]*}}, <4 x i32> %n
; CHECK: [[NEXT]]:
; CHECK-NEXT: phi <4 x i32> [ %n{{[0-9]*}}, %{{.*}} ], [ %[[NEW]], %packet.then ]
; CHECK-NOT: select
; CHECK: store <4 x i32>
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %n = load i32, ptr addrspace(1) %p
  %c = icmp slt i32 %n, 9
  br i1 %c, label %then, label %pass.by
then:
  %square = call i32 @llvm.ctpop.i32(i32 %n)
  %more = add i32 %square, 5
  br label %end
pass.by:
  br label %end
end:
  %r = phi i32 [ %more, %then ], [ %n, %pass.by ]
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; A few operations are computed for all lanes, without a branch around them. The loop above counts so, too.
; CHECK-LABEL: define void @short_side
define void @short_side(ptr addrspace(1) %a) {
; CHECK: %[[N:.*]] = load <4 x i32>
; CHECK-NOT: br i1
; CHECK: %[[SQUARE:.*]] = mul <4 x i32> %[[N]], %[[N]]
; CHECK-NEXT: %[[MORE:.*]] = add <4 x i32> %[[SQUARE]], splat (i32 5)
; CHECK-NEXT: %[[NEW:.*]] = select <4 x i1> %{{.*}}, <4 x i32> %[[MORE]], <4 x i32> %[[N]]
; CHECK-NOT: br i1
; CHECK: store <4 x i32> %[[NEW]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %n = load i32, ptr addrspace(1) %p
  %c = icmp slt i32 %n, 9
  br i1 %c, label %then, label %pass.by
then:
  %square = mul i32 %n, %n
  %more = add i32 %square, 5
  br label %end
pass.by:
  br label %end
end:
  %r = phi i32 [ %more, %then ], [ %n, %pass.by ]
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; If the program says that a side is rare, the branch around it stays.
; CHECK-LABEL: define void @rare_side
define void @rare_side(ptr addrspace(1) %a) {
; CHECK: br i1 %{{.*}}, label %packet.then, label %
; CHECK: packet.then:
; CHECK: mul <4 x i32>
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %n = load i32, ptr addrspace(1) %p
  %c = icmp slt i32 %n, 9
  br i1 %c, label %then, label %end, !prof !0
then:
  %square = mul i32 %n, %n
  br label %end
end:
  %r = phi i32 [ %square, %then ], [ %n, %entry ]
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; A branch that all lanes take together stays a branch: no masks.
; CHECK-LABEL: define void @together
define void @together(ptr addrspace(1) %a, i1 %c) {
; CHECK: packet.entry:
; CHECK: br i1 %c,
; CHECK: packet.then:
; CHECK-NEXT: store <4 x i32> splat (i32 7)
; CHECK-NOT: masked.store
; CHECK: {{^[}]}}
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  br i1 %c, label %then, label %end
then:
  store i32 7, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
!0 = !{!"branch_weights", i32 1, i32 2000}
