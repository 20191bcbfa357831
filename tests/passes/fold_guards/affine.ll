; Guards on a * x + b: the loop ends where the value reaches the bound.
; RUN: %clarity opt --passes='work-item-loops,narrow-indices,fold-guards' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)

; `2 * x + 1 < width`: the flags say that nothing wraps, so that nothing is left of the condition.
; CHECK-LABEL: define void @known
; CHECK: region0.before:
; CHECK: %[[LIMIT:.*]] = sext i32 %{{.*}} to i64
; CHECK: %[[LEFT:.*]] = sub i64 %[[LIMIT]], 1
; CHECK: %[[SOME:.*]] = call i64 @llvm.smax.i64(i64 %[[LEFT]], i64 0)
; CHECK: %[[UP:.*]] = add i64 %[[SOME]], 1
; CHECK: udiv i64 %{{.*}}, 2
; CHECK: entry:
; CHECK: br label %then
define void @known(ptr addrspace(1) %a, i32 %width) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  %twice = shl nuw nsw i32 %x, 1
  %odd = add nuw nsw i32 %twice, 1
  %c = icmp slt i32 %odd, %width
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; `x * factor + taps <= length`: the factor may be negative, then the bound is a lower one.
; CHECK-LABEL: define void @factor
; CHECK: region0.before:
; CHECK: %[[A:.*]] = sub i64
; CHECK: %[[RISES:.*]] = icmp sgt i64 %[[A]], 0
; CHECK: %[[FALLS:.*]] = icmp slt i64 %[[A]], 0
; CHECK: %[[QUOTIENT:.*]] = udiv i64
; CHECK: %[[BELOW:.*]] = select i1 %[[RISES]], i64 %[[QUOTIENT]]
; CHECK: %[[FROM:.*]] = select i1 %[[FALLS]], i64 %{{.*}}, i64 0
; CHECK: entry:
; CHECK: br label %then
define void @factor(ptr addrspace(1) %a, i32 %length, i32 %factor, i32 %taps) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  %scaled = mul nsw i32 %x, %factor
  %end.of = add nsw i32 %scaled, %taps
  %c = icmp sle i32 %end.of, %length
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; Of unsigned numbers nothing says that they do not wrap: that is checked ahead of the loops, and the condition stays.
; CHECK-LABEL: define void @unsigned
; CHECK: region0.before:
; CHECK: %[[LAST:.*]] = add i64
; CHECK: %[[FITS:.*]] = icmp ult i64 %[[LAST]], 4294967296
; CHECK: udiv i64
; CHECK: entry:
; CHECK: br i1 %c, label %then, label %end
define void @unsigned(ptr addrspace(1) %a, i32 %n, i32 %stride) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  %next = add i32 %x, 1
  %scaled = mul i32 %next, %stride
  %last = sub i32 %scaled, 1
  %c = icmp ult i32 %last, %n
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; `x * y`: not affine along one dimension.
; CHECK-LABEL: define void @product
; CHECK-NOT: udiv
; CHECK: entry:
; CHECK: br i1 %c, label %then, label %end
define void @product(ptr addrspace(1) %a, i32 %n) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %row = call i64 @__clarity_local_id(i32 1)
  %x = trunc i64 %id to i32
  %y = trunc i64 %row to i32
  %xy = mul nsw i32 %x, %y
  %c = icmp slt i32 %xy, %n
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; Parts of a condition that the bounds imply go, in a chain of `and` as in one of `select`: what stays tests no row.
; CHECK-LABEL: define void @partly
; CHECK: region0.before:
; CHECK: entry:
; CHECK: %[[BESIDE:.*]] = icmp ult i32 %from, %width
; CHECK-NOT: icmp
; CHECK: br i1 %[[BESIDE]], label %then
define void @partly(ptr addrspace(1) %a, i32 %width, i32 %height, i32 %offset) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %row = call i64 @__clarity_local_id(i32 1)
  %x = trunc i64 %id to i32
  %y = trunc i64 %row to i32
  %from = add i32 %x, %offset
  %in.row = icmp ult i32 %from, %width
  %in.column = icmp ult i32 %y, %height
  %in.columns = select i1 %in.column, i1 %in.row, i1 false
  %c = and i1 %in.columns, %in.column
  br i1 %c, label %then, label %end
then:
  %p = getelementptr float, ptr addrspace(1) %a, i32 %from
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
