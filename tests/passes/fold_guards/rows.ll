; A condition on `y * n + x` makes rows shorter, and those behind the bound are passed by.
; RUN: %clarity opt --passes='work-item-loops,narrow-indices,fold-guards' %s -o - | FileCheck %s
; RUN: %clarity opt --passes='work-item-loops,narrow-indices,fold-guards,loop-simplify,lcssa,packets<8x1x2>' %s -o - | FileCheck %s --check-prefix=PACKETS
declare i64 @__clarity_global_id(i32)
declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: define void @image
; CHECK: region0.before:
; CHECK: region0.y:
; CHECK: %[[Y:.*]] = phi i32
; CHECK: %[[WIDE:.*]] = zext i32 %[[Y]] to i64
; CHECK: %[[BEHIND:.*]] = mul i64 %[[WIDE]], 100
; CHECK: %[[LEFT:.*]] = sub i64 %{{.*}}, %[[BEHIND]]
; CHECK: %[[END:.*]] = call i32 @llvm.umin.i32
; CHECK: %[[SOME:.*]] = icmp ult i32 0, %[[END]]
; CHECK: br i1 %[[SOME]], label %some.row, label %region0.y.next
; CHECK: some.row:
; CHECK: br label %region0.x
; CHECK: entry:
; CHECK: br label %then
; CHECK: icmp ult i32 %{{.*}}, %[[END]]
; Whole tiles end where the last row of them does; what is left is taken row by row, as far as each goes.
; PACKETS-LABEL: define void @image
; PACKETS: tile.row:
; PACKETS: rows.whole:
; PACKETS: call i32 @llvm.usub.sat.i32
; PACKETS: rest.row:
; PACKETS: br i1 {{.*}}, label %rest.some, label %rest.behind
define void @image(ptr addrspace(1) %a, i64 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nuw nsw i64 %y, 100
  %i = add nuw nsw i64 %row, %x
  %c = icmp ult i64 %i, %n
  br i1 %c, label %then, label %end
then:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; Rows that get longer with y keep the condition.
; CHECK-LABEL: define void @longer
; CHECK-NOT: some.row
; CHECK: icmp ult i64
; CHECK: ret void
define void @longer(ptr addrspace(1) %a, i64 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nuw nsw i64 %y, 100
  %i = sub nuw nsw i64 %x, %row
  %c = icmp ult i64 %i, %n
  br i1 %c, label %then, label %end
then:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; Where counters count steps instead of work-items they do not say how long a row is: that part of the condition stays.
; CHECK-LABEL: define void @fourths
; CHECK-NOT: some.row
; CHECK: icmp ult i64
; CHECK: ret void
define void @fourths(ptr addrspace(1) %a, i64 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nuw nsw i64 %y, 100
  %i = add nuw nsw i64 %row, %x
  %low = and i64 %x, 3
  %fourth = icmp eq i64 %low, 0
  %bounded = icmp ult i64 %i, %n
  %c = and i1 %bounded, %fourth
  br i1 %c, label %then, label %end
then:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @even_rows
; CHECK-NOT: some.row
; CHECK: icmp ult i64
; CHECK: ret void
define void @even_rows(ptr addrspace(1) %a, i64 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nuw nsw i64 %y, 100
  %i = add nuw nsw i64 %row, %x
  %low = and i64 %y, 1
  %even = icmp eq i64 %low, 0
  %bounded = icmp ult i64 %i, %n
  %c = and i1 %even, %bounded
  br i1 %c, label %then, label %end
then:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; What has been cut to 32 bits may wrap from row to row.
; CHECK-LABEL: define void @cut
; CHECK-NOT: some.row
; CHECK: icmp ult i32 %t
; CHECK: ret void
define void @cut(ptr addrspace(1) %a, i32 %n) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %y = call i64 @__clarity_global_id(i32 1)
  %row = mul nuw nsw i64 %y, 100000
  %i = add nuw nsw i64 %row, %x
  %t = trunc i64 %i to i32
  %c = icmp ult i32 %t, %n
  br i1 %c, label %then, label %end
then:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
