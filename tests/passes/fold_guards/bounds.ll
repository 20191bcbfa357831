; The loops over work-items run over those only that pass the guard at a region's beginning.
; RUN: %clarity opt --passes='work-item-loops,narrow-indices,fold-guards' %s -o - | FileCheck %s
declare i64 @__clarity_global_id(i32)
declare i64 @__clarity_local_id(i32)

; An upper bound: the loop along x ends earlier, is not begun if nothing is left, and the branch is gone.
; CHECK-LABEL: define void @upper
define void @upper(ptr addrspace(1) %a, i64 %n) {
; CHECK: region0.before:
; CHECK: %[[BOUND:.*]] = freeze i64 %n
; CHECK: %[[LIMIT:.*]] = call i64 @llvm.umin.i64(i64 %[[BOUND]],
; CHECK: %[[LEFT:.*]] = sub i64 %[[LIMIT]],
; CHECK: call i64 @llvm.smax.i64(i64 %[[LEFT]], i64 0)
; CHECK: %[[END:.*]] = call i32 @llvm.umin.i32(
; CHECK: %[[SOME:.*]] = icmp ult i32 0, %[[END]]
; CHECK: br i1 %[[SOME]], label %some.items, label %region0.after
; CHECK: entry:
; CHECK: br label %then
; CHECK: region0.x.next:
; CHECK: icmp ult i32 %{{.*}}, %[[END]]
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %c = icmp ult i64 %x, %n
  br i1 %c, label %then, label %end
then:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; A lower bound, of the other way of the branch: the loop along x begins later and ends where it did.
; CHECK-LABEL: define void @lower
define void @lower(ptr addrspace(1) %a, i32 %n) {
; CHECK: %[[SIZE64:.*]] = call i64 @__clarity_local_size(i32 0)
; CHECK: %[[SIZE:.*]] = trunc i64 %[[SIZE64]] to i32
; CHECK: region0.before:
; CHECK: %[[BOUND:.*]] = freeze i32 %n
; CHECK: %[[WIDE:.*]] = sext i32 %[[BOUND]] to i64
; CHECK: call i64 @llvm.smax.i64(i64 %[[WIDE]], i64 0)
; CHECK: %[[SOME:.*]] = icmp ult i32 %[[BEGIN:.*]], %[[SIZE]]
; CHECK: br i1 %[[SOME]], label %some.items, label %region0.after
; CHECK: region0.x:
; CHECK: phi i32 [ %[[BEGIN]], %region0.y ]
; CHECK: entry:
; CHECK: br label %then
; CHECK: region0.x.next:
; CHECK: icmp ult i32 %{{.*}}, %[[SIZE]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %id = trunc i64 %x to i32
  %c = icmp slt i32 %id, %n
  br i1 %c, label %end, label %then
then:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; Equality bounds from both sides.
; CHECK-LABEL: define void @one
define void @one(ptr addrspace(1) %a, i64 %n) {
; CHECK: region0.before:
; CHECK: %[[BEGIN64:.*]] = call i64 @llvm.smin.i64(
; CHECK: %[[BEGIN:.*]] = trunc i64 %[[BEGIN64]] to i32
; CHECK: %[[END:.*]] = call i32 @llvm.umin.i32(
; CHECK: icmp ult i32 %[[BEGIN]], %[[END]]
; CHECK: phi i32 [ %[[BEGIN]], %region0.y ]
; CHECK: entry:
; CHECK: br label %then
; CHECK: region0.x.next:
; CHECK: icmp ult i32 %{{.*}}, %[[END]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %c = icmp eq i64 %x, %n
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; Both dimensions of `x < w && y < h`.
; CHECK-LABEL: define void @two
define void @two(ptr addrspace(1) %a, i64 %w, i64 %h) {
; CHECK: region0.before:
; CHECK: %[[W:.*]] = freeze i64 %w
; CHECK: call i64 @llvm.umin.i64(i64 %[[W]],
; CHECK: %[[H:.*]] = freeze i64 %h
; CHECK: call i64 @llvm.umin.i64(i64 %[[H]],
; CHECK: %[[SOMEX:.*]] = icmp ult i32 0, %[[ENDX:.*]]
; CHECK: %[[SOMEY:.*]] = icmp ult i32 0, %[[ENDY:.*]]
; CHECK: %[[SOME:.*]] = and i1 %[[SOMEX]], %[[SOMEY]]
; CHECK: br i1 %[[SOME]], label %some.items, label %region0.after
; CHECK: entry:
; CHECK: br label %then
; CHECK: region0.x.next:
; CHECK: icmp ult i32 %{{.*}}, %[[ENDX]]
; CHECK: region0.y.next:
; CHECK: icmp ult i32 %{{.*}}, %[[ENDY]]
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %y = call i64 @__clarity_global_id(i32 1)
  %cx = icmp ult i64 %x, %w
  %cy = icmp ult i64 %y, %h
  %c = select i1 %cx, i1 %cy, i1 false
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; What cannot be solved leaves the branch, what can still bounds the loop.
; CHECK-LABEL: define void @part
define void @part(ptr addrspace(1) %a, i64 %n) {
; CHECK: region0.before:
; CHECK: icmp ult i32 0, %[[END:.*]]
; CHECK: entry:
; CHECK: br i1 %cv, label %then, label %end
; CHECK: region0.x.next:
; CHECK: icmp ult i32 %{{.*}}, %[[END]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %p
  %cx = icmp ult i64 %x, %n
  %cv = fcmp olt float %v, 1.0
  %c = and i1 %cx, %cv
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; What is asked only of those who passed the first condition may wrap for the others: it stays a condition.
; CHECK-LABEL: define void @behind_another
; CHECK: region0.x:
; CHECK: %[[BEHIND:.*]] = sub nuw i32 %{{.*}}, %k
; CHECK: icmp ult i32 %[[BEHIND]], %n
define void @behind_another(ptr addrspace(1) %a, i32 %k, i32 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %id = trunc i64 %x to i32
  %not.below = icmp uge i32 %id, %k
  %behind = sub nuw i32 %id, %k
  %near = icmp ult i32 %behind, %n
  %c = select i1 %not.below, i1 %near, i1 false
  br i1 %c, label %then, label %end
then:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
