; Guards that let every n-th work-item pass: the counter counts steps, the id is a multiple of it.
; RUN: %clarity opt --passes='work-item-loops,narrow-indices,fold-guards' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: define void @remainder
define void @remainder(ptr addrspace(1) %a, i32 %n) {
; CHECK: region0.before:
; CHECK: %[[FROZEN:.*]] = freeze i32 %n
; CHECK: %[[STEP:.*]] = zext i32 %[[FROZEN]] to i64
; CHECK: %[[COUNT:.*]] = udiv i64 %{{.*}}, %[[STEP]]
; CHECK: %[[END:.*]] = trunc i64 %[[COUNT]] to i32
; CHECK: icmp ult i32 0, %[[END]]
; CHECK: region0.x:
; CHECK: %[[COUNTER:.*]] = phi i32 [ 0, %region0.y ]
; CHECK: region0.begin:
; CHECK: %[[ID32:.*]] = mul nuw i32 %[[COUNTER]], %[[FROZEN]]
; CHECK: entry:
; CHECK: %[[ID:.*]] = zext i32 %[[ID32]] to i64
; CHECK: br label %then
; CHECK: getelementptr float, ptr addrspace(1) %a, i64 %[[ID]]
; CHECK: region0.x.next:
; CHECK: %[[NEXT:.*]] = add nuw nsw i32 %[[COUNTER]], 1
; CHECK: icmp ult i32 %[[NEXT]], %[[END]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %id = trunc i64 %x to i32
  %rest = urem i32 %id, %n
  %c = icmp eq i32 %rest, 0
  br i1 %c, label %then, label %end
then:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; A mask is a step if it is one of lowest bits, which shows when running; the branch stays for those that are not.
; CHECK-LABEL: define void @mask
define void @mask(ptr addrspace(1) %a, i32 %n) {
; CHECK: region0.before:
; CHECK: %[[FROZEN:.*]] = freeze i32 %n
; CHECK: %[[MASK:.*]] = zext i32 %[[FROZEN]] to i64
; CHECK: %[[NEXT:.*]] = add i64 %[[MASK]], 1
; CHECK: %[[BITS:.*]] = and i64 %[[MASK]], %[[NEXT]]
; CHECK: %[[LOWEST:.*]] = icmp eq i64 %[[BITS]], 0
; CHECK: %[[STEP:.*]] = select i1 %[[LOWEST]], i64 %[[NEXT]], i64 1
; CHECK: udiv i64 %{{.*}}, %[[STEP]]
; CHECK: entry:
; CHECK: br i1 %c, label %then, label %end
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %id = trunc i64 %x to i32
  %rest = and i32 %id, %n
  %c = icmp eq i32 %rest, 0
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; `id * scale < n`: the loop ends at n / scale, rounded up, where no product wraps; the branch stays for where one does.
; CHECK-LABEL: define void @scaled
define void @scaled(ptr addrspace(1) %a, i32 %n, i32 %scale) {
; CHECK: region0.before:
; CHECK: %[[SCALE:.*]] = zext i32 %{{.*}} to i64
; CHECK: icmp ult i64 %{{.*}}, 4294967296
; CHECK: %[[DIVISOR:.*]] = call i64 @llvm.umax.i64(i64 %[[SCALE]], i64 1)
; CHECK: udiv i64 %{{.*}}, %[[DIVISOR]]
; CHECK: icmp ult i32 0, %[[END:.*]]
; CHECK: entry:
; CHECK: br i1 %c, label %then, label %end
; CHECK: region0.x.next:
; CHECK: icmp ult i32 %{{.*}}, %[[END]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %id = trunc i64 %x to i32
  %product = mul i32 %id, %scale
  %c = icmp ult i32 %product, %n
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; A mask of lowest bits that is known: nothing is left of the branch, and all that could be computed is a constant.
; CHECK-LABEL: define void @known_mask
define void @known_mask(ptr addrspace(1) %a) {
; CHECK: region0.x:
; CHECK: %[[COUNTER:.*]] = phi i32 [ 0, %region0.y ]
; CHECK: region0.begin:
; CHECK: mul nuw i32 %[[COUNTER]], 8
; CHECK: entry:
; CHECK: br label %then
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %id = trunc i64 %x to i32
  %rest = and i32 %id, 7
  %c = icmp eq i32 %rest, 0
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; One that is none of lowest bits leaves the branch.
; CHECK-LABEL: define void @other_mask
define void @other_mask(ptr addrspace(1) %a) {
; CHECK: entry:
; CHECK: br i1 %c, label %then, label %end
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %id = trunc i64 %x to i32
  %rest = and i32 %id, 6
  %c = icmp eq i32 %rest, 0
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; Shifted out of the number: nothing is left but every 2^24th.
; CHECK-LABEL: define void @shifted
define void @shifted(ptr addrspace(1) %a) {
; CHECK: region0.x:
; CHECK: %[[COUNTER:.*]] = phi i32 [ 0, %region0.y ]
; CHECK: region0.begin:
; CHECK: mul nuw i32 %[[COUNTER]], 16777216
; CHECK: entry:
; CHECK: br label %then
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %id = trunc i64 %x to i32
  %scaled = shl i32 %id, 8
  %c = icmp eq i32 %scaled, 0
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}
